#include "fit/noise_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "data/columns/spread.hpp"

namespace gpcv {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Rows and pivots of the search; the process that was found is estimated from all of them.
constexpr Index most_rows = 1200, searched_pivots = 60;
/// Inputs that are examined again after the first, and inputs of a process at most.
constexpr std::size_t most_promising = 8, most_inputs = 6;
/// Priors: log s ~ N(0, 1), and log l ~ N(log 2, 0.6²) for a length l in deviations of its input. Noise is smooth, and
/// its logarithm varies by about one.
constexpr double usual_length = 2, spread_of_lengths = 0.6;
/// Prior of the logarithm of the factor of the function's variances, the lower half of N(0, 1), and the factors from
/// which the search begins: constant noise that is not constant makes these variances too large, where errors have
/// heavy tails.
constexpr double spread_of_factor = 1;
constexpr double factors_tried[] = {1, 0.1};
/// Lengths that are tried for an input, and the steps of the search of all scales.
constexpr double lengths_tried[] = {2, 0.7};
constexpr double first_step = 0.6, last_step = 0.15;
/// Degrees of freedom of heavy-tailed errors, and the gain in evidence that makes them worth a parameter.
constexpr double heavy_degrees = 5, worth_degrees = 2;

/// Scales with the evidence of the rows.
struct Judged {
  NoiseScales scales;
  double evidence = -infinity;
};

class Search {
 public:
  Search(const NoiseRows& rows, const NoiseSearch& search, double degrees)
      : rows_(rows), search_(search), degrees_(degrees), unit_(rows.x.cols()) {
    for (Index c = 0; c < unit_.size(); ++c) {
      const double deviation = spread(rows.x.col(c)).deviation;
      unit_(c) = deviation > 0 ? std::log(deviation) : -infinity;
    }
  }

  Judged run() const {
    Judged best;
    for (const double factor : factors_tried) {
      NoiseScales start;
      start.log_function = std::log(factor);
      if (Judged one = from(start); one.evidence > best.evidence) best = std::move(one);
    }
    return best;
  }

 private:
  /// Inputs join one after the other, and all scales are searched after each.
  Judged from(const NoiseScales& start) const {
    Judged best = polished(judged(start));
    std::vector<Index> others = promising(best);
    while (!others.empty() && best.scales.inputs.size() < most_inputs && !stopped()) {
      Judged found = best;
      for (const Index c : others) {
        if (Judged with = with_input(best.scales, c); with.evidence > found.evidence) found = std::move(with);
      }
      if (found.scales.inputs.size() == best.scales.inputs.size()) break;
      found = polished(std::move(found));
      if (found.evidence < best.evidence + search_.worth_an_input) break;
      best = std::move(found);
      std::erase(others, best.scales.inputs.back());
    }
    return best;
  }

  bool stopped() const { return search_.stop && search_.stop(); }

  /// The inputs that explain most alone.
  std::vector<Index> promising(const Judged& constant) const {
    std::vector<std::pair<double, Index>> gains;
    for (Index c = 0; c < unit_.size() && !stopped(); ++c) {
      if (std::isfinite(unit_(c))) gains.emplace_back(constant.evidence - with_input(constant.scales, c).evidence, c);
    }
    std::sort(gains.begin(), gains.end());
    if (gains.size() > most_promising) gains.resize(most_promising);
    std::vector<Index> out;
    for (const auto& [gain, c] : gains) out.push_back(c);
    return out;
  }

  /// The scales with one more input.
  Judged with_input(NoiseScales scales, Index c) const {
    scales.inputs.push_back(c);
    const auto k = static_cast<Index>(scales.inputs.size());
    scales.log_lengths.conservativeResize(k);
    Judged best;
    for (const double length : lengths_tried) {
      scales.log_lengths(k - 1) = unit_(c) + std::log(length);
      if (Judged one = judged(scales); one.evidence > best.evidence) best = std::move(one);
    }
    return best;
  }

  Judged judged(NoiseScales scales) const {
    double prior = 0.5 * std::pow(scales.log_function / spread_of_factor, 2);
    if (!scales.inputs.empty()) prior += 0.5 * scales.log_deviation * scales.log_deviation;
    for (Index i = 0; i < scales.log_lengths.size(); ++i) {
      const double away = scales.log_lengths(i) - unit_(scales.inputs[static_cast<std::size_t>(i)]);
      prior += 0.5 * std::pow((away - std::log(usual_length)) / spread_of_lengths, 2);
    }
    const NoiseLikelihood likelihood(rows_, Vector::Ones(rows_.x.rows()), degrees_, std::exp(scales.log_function));
    const bool constant = scales.inputs.empty();
    const Matrix g = constant ? Matrix(rows_.x.rows(), 0) : NoiseFeatures(rows_.x, scales, searched_pivots).values();
    const double evidence = fit_noise(likelihood, g, std::exp(scales.log_deviation)).evidence;
    return {std::move(scales), evidence - prior};
  }

  /// The best scales nearby, along one of them after the other.
  Judged polished(Judged best) const {
    for (double step = first_step; step >= last_step; step /= 2) {
      for (bool better = true; better && !stopped();) {
        better = false;
        for (Index i = -2; i < best.scales.log_lengths.size(); ++i) {
          for (const double move : {step, -step}) {
            NoiseScales scales = best.scales;
            (i == -2 ? scales.log_function : i == -1 ? scales.log_deviation : scales.log_lengths(i)) += move;
            if (scales.log_function > 0) continue;
            Judged one = judged(std::move(scales));
            if (one.evidence <= best.evidence) continue;
            best = std::move(one);
            better = true;
            break;
          }
        }
      }
    }
    return best;
  }

  const NoiseRows& rows_;
  const NoiseSearch& search_;
  double degrees_;
  Vector unit_;  ///< logarithm of the deviation of each input
};

/// The rows with a residual, at most `most`.
NoiseRows known_rows(const NoiseRows& rows, const std::vector<int>& part, Index most) {
  std::vector<Index> known, some;
  for (Index i = 0; i < rows.x.rows(); ++i) {
    if (part[static_cast<std::size_t>(i)] >= 0) known.push_back(i);
  }
  const auto count = static_cast<Index>(known.size()), kept = std::min(count, most);
  for (Index i = 0; i < kept; ++i) some.push_back(known[static_cast<std::size_t>(i * count / kept)]);
  return {rows.x(some, Eigen::all), rows.residuals(some), rows.function(some)};
}

}  // namespace

FoundNoise find_noise(const NoiseRows& given, const std::vector<int>& part, const NoiseSearch& search) {
  NoiseRows rows = given;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] < 0) rows.residuals(static_cast<Index>(i)) = 0;  // there is none, and it does not count
  }
  const NoiseRows some = known_rows(rows, part, most_rows);
  double degrees = infinity;
  Judged best = Search(some, search, infinity).run();
  if (Judged heavy = Search(some, search, heavy_degrees).run(); heavy.evidence > best.evidence + worth_degrees) {
    best = std::move(heavy);
    degrees = heavy_degrees;
  }
  FoundNoise out;
  const Index n = rows.x.rows();
  const double factor = std::exp(best.scales.log_function);
  const auto counts = [&](int without) {
    Vector c(n);
    for (Index i = 0; i < n; ++i) {
      const int p = part[static_cast<std::size_t>(i)];
      c(i) = p >= 0 && p != without ? 1 : 0;
    }
    return c;
  };
  if (best.scales.inputs.empty()) {
    out.process.constant = fit_noise({rows, counts(-1), degrees, factor}, Matrix(n, 0), 1).constant;
    out.at_rows = Vector::Constant(n, out.process.constant);
    return out;
  }
  const NoiseFeatures features(rows.x, best.scales);
  const Matrix& g = features.values();
  const double s = std::exp(best.scales.log_deviation);
  const NoiseFit all = fit_noise({rows, counts(-1), degrees, factor}, g, s);
  out.process = features.process(all.a, all.constant);
  out.at_rows = (s * (g * all.a)).array() + all.constant;
  for (int k = 0; k <= *std::max_element(part.begin(), part.end()); ++k) {
    const NoiseFit others = fit_noise({rows, counts(k), degrees, factor}, g, s, &all);
    for (Index i = 0; i < n; ++i) {
      if (part[static_cast<std::size_t>(i)] == k) out.at_rows(i) = s * g.row(i).dot(others.a) + others.constant;
    }
  }
  return out;
}

}  // namespace gpcv
