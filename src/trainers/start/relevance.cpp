#include "trainers/start/relevance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/parallel.hpp"
#include "core/stop_question.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "trainers/start/fold_score.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// Rows of the screening, at least and at most; pairs of rows times inputs and lengths stay below a limit that takes
/// about a second.
constexpr Index fewest_screened = 150, most_screened = 600;
constexpr double most_products = 3e9;
/// Lengths at which single inputs and pairs are tried, in standard deviations of the input.
constexpr std::array<double, 3> single_lengths{0.15, 0.4, 1.2};
constexpr std::array<double, 2> pair_lengths{0.3, 1.0};
/// Length of an input that matters little so far: a descent can still shorten it.
constexpr double irrelevant_length = 10;
/// Inputs above which pairs are not tried.
constexpr Index most_inputs_in_pairs = 64;
/// The statistic above which an input counts, and below which pairs are tried as well. With 100 inputs at three lengths
/// the largest of the statistics of irrelevant inputs is about 3.
constexpr double counts = 4, strong = 8;
/// Inputs or pairs that are taken, and the share of the error that each must explain.
constexpr int most_taken = 6;
constexpr double least_gain = 0.01;

using Values = Eigen::ArrayXf;  // of pairs of rows

/// Pairs of rows that different folds validate.
class RowPairs {
 public:
  RowPairs(const Matrix& x, const Folds& folds) : x_(x) {
    std::vector<Index> label(static_cast<std::size_t>(x.rows()), -1);
    for (Index k = 0; k < folds.size(); ++k) {
      for (const Index row : folds.folds[static_cast<std::size_t>(k)].validation)
        label[static_cast<std::size_t>(row)] = k;
    }
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < i; ++j) {
        if (label[static_cast<std::size_t>(i)] == label[static_cast<std::size_t>(j)]) continue;
        first_.push_back(i);
        second_.push_back(j);
      }
    }
  }

  Index size() const { return static_cast<Index>(first_.size()); }
  /// e_i e_j
  Values products(const Vector& e) const {
    Values q(size());
    for (Index p = 0; p < size(); ++p) q(p) = static_cast<float>(e(first(p)) * e(second(p)));
    return q;
  }
  /// exp(−½ (x_i − x_j)²/l²) of one column
  Values near(Index column, double length) const {
    Values k(size());
    const double scale = 1 / length;
    for (Index p = 0; p < size(); ++p) {
      const auto distance = static_cast<float>(scale * (x_(first(p), column) - x_(second(p), column)));
      k(p) = -0.5F * distance * distance;
    }
    return k.exp();
  }

 private:
  Index first(Index p) const { return first_[static_cast<std::size_t>(p)]; }
  Index second(Index p) const { return second_[static_cast<std::size_t>(p)]; }
  const Matrix& x_;
  std::vector<Index> first_, second_;
};

/// T of the kernel values k and the products q of what is to be explained.
double statistic(const Values& k, const Values& q) {
  const Values kq = k * q;
  const double square = kq.matrix().squaredNorm();
  return square > 0 ? kq.sum() / std::sqrt(square) : 0;
}

/// Inputs that are taken together, with their lengths.
struct Finding {
  double statistic = 0;
  std::vector<std::pair<Index, double>> lengths;  ///< column and length
};

/// The free length scales that belong to one column alone and that the user did not give.
std::map<Index, std::vector<Index>> lengths_of_columns(const Kernel& kernel) {
  std::map<Index, std::vector<Index>> found;
  const std::vector<Parameter> free = kernel.free_parameters();
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i].role != Role::length_scale || free[i].given || free[i].columns.size() != 1) continue;
    found[free[i].columns.front()].push_back(static_cast<Index>(i));
  }
  return found;
}

class Screening {
 public:
  Screening(const Problem& part, std::map<Index, std::vector<Index>> lengths, const TrainOptions& options)
      : part_(part),
        own_(log_parameters(part)),
        lengths_(std::move(lengths)),
        spread_(DataScales::of(part.x, part.y, false).spread),
        pairs_(part.x, part.folds),
        threads_(std::max(1, options.compute.threads)),
        question_(shared(options.compute.communicator.get()) ? std::function<bool()>() : options.compute.stop) {
    for (const auto& [column, indices] : lengths_) columns_.push_back(column);
  }

  std::optional<Vector> run() {
    Vector best;
    double error = held_out_power(part_);
    Vector unexplained = part_.y.array() - part_.y.mean();
    std::map<Index, double> taken;
    for (int round = 0; round < most_taken && !question_.asked(); ++round) {
      const Finding finding = strongest(pairs_.products(unexplained));
      if (question_.asked() || finding.statistic < counts) break;
      std::map<Index, double> with = taken;
      for (const auto& [column, length] : finding.lengths) {
        const auto known = with.find(column);
        with[column] = known == with.end() ? length : std::min(known->second, length);
      }
      const std::optional<HeldOutScore> score = best_noise(with);
      if (!score || score->squares > (1 - least_gain) * error) break;
      taken = std::move(with);
      error = score->squares;
      unexplained = part_.folds.by_row(score->residuals);
      for (Index i = 0; i < unexplained.size(); ++i) {
        if (!std::isfinite(unexplained(i))) unexplained(i) = 0;
      }
      best = score->at;
    }
    return taken.empty() ? std::nullopt : std::optional(best);
  }

 private:
  /// The single input of largest statistic, or the pair where no single input is strong.
  Finding strongest(const Values& q) const {
    std::vector<Finding> found(columns_.size());
    parallel_for(static_cast<int>(columns_.size()), threads_, [&](int c) {
      if (question_.asked()) return;
      const Index column = columns_[static_cast<std::size_t>(c)];
      for (const double length : single_lengths) {
        const double t = statistic(pairs_.near(column, length * spread_(column)), q);
        Finding& best = found[static_cast<std::size_t>(c)];
        if (t > best.statistic) best = {t, {{column, length * spread_(column)}}};
      }
    });
    const auto less = [](const Finding& a, const Finding& b) { return a.statistic < b.statistic; };
    Finding best = *std::max_element(found.begin(), found.end(), less);
    if (best.statistic >= strong || static_cast<Index>(columns_.size()) > most_inputs_in_pairs) return best;
    return std::max(best, strongest_pair(q), less);
  }

  Finding strongest_pair(const Values& q) const {
    const std::size_t d = columns_.size(), tried = pair_lengths.size();
    std::vector<Values> near(d * tried);
    parallel_for(static_cast<int>(near.size()), threads_, [&](int i) {
      if (question_.asked()) return;
      const std::size_t c = static_cast<std::size_t>(i) / tried, l = static_cast<std::size_t>(i) % tried;
      near[static_cast<std::size_t>(i)] = pairs_.near(columns_[c], pair_lengths[l] * spread_(columns_[c]));
    });
    std::vector<Finding> found(d);
    parallel_for(static_cast<int>(d), threads_, [&](int c) {
      if (question_.asked()) return;
      const auto a = static_cast<std::size_t>(c);
      for (std::size_t la = 0; la < tried; ++la) {
        const Values kq = near[a * tried + la] * q, squares = kq * kq;
        for (std::size_t b = 0; b < a; ++b) {
          for (std::size_t lb = 0; lb < tried; ++lb) {
            const Values& k = near[b * tried + lb];
            const double square = (squares * k * k).sum();
            const double t = square > 0 ? (kq * k).sum() / std::sqrt(square) : 0;
            if (!(t > found[a].statistic)) continue;
            found[a] = {t,
                        {{columns_[a], pair_lengths[la] * spread_(columns_[a])},
                         {columns_[b], pair_lengths[lb] * spread_(columns_[b])}}};
          }
        }
      }
    });
    return *std::max_element(found.begin(), found.end(),
                             [](const Finding& a, const Finding& b) { return a.statistic < b.statistic; });
  }

  /// The held-out score with these inputs relevant, at the best of a few levels of noise.
  std::optional<HeldOutScore> best_noise(const std::map<Index, double>& taken) const {
    Vector u = own_.value;
    for (const auto& [column, indices] : lengths_) {
      const auto found = taken.find(column);
      const double length = found == taken.end() ? irrelevant_length * spread_(column) : found->second;
      for (const Index i : indices) u(i) = std::clamp(std::log(length), own_.lower(i), own_.upper(i));
    }
    std::optional<HeldOutScore> best;
    const bool free_noise = !part_.noise.fixed;
    for (const double less_noise : {0.0, -2.3, -4.6}) {
      Vector at = u;
      if (free_noise)
        at(at.size() - 1) = std::max(own_.lower(at.size() - 1), own_.value(at.size() - 1) + 1.6 + less_noise);
      std::optional<HeldOutScore> score = held_out_score(part_, at, threads_);
      if (score && (!best || score->squares < best->squares)) best = std::move(score);
      if (!free_noise) break;
    }
    return best;
  }

  const Problem& part_;
  const LogParameters own_;
  const std::map<Index, std::vector<Index>> lengths_;
  const Vector spread_;
  const RowPairs pairs_;
  const int threads_;
  std::vector<Index> columns_;
  mutable StopQuestion question_;
};

/// Rows that keep the screening within its time.
Index screened_rows_for(std::size_t inputs) {
  const auto d = static_cast<double>(inputs);
  const double kernels = 3 * d + (inputs <= static_cast<std::size_t>(most_inputs_in_pairs) ? 2 * d * d : 0);
  return std::clamp(static_cast<Index>(std::sqrt(2 * most_products / (kernels * most_taken))), fewest_screened,
                    most_screened);
}

}  // namespace

std::optional<Vector> relevance_start(const Problem& problem, const TrainOptions& options) {
  const std::map<Index, std::vector<Index>> lengths = lengths_of_columns(problem.kernel);
  if (lengths.size() < 2) return std::nullopt;
  Problem part = start_part(problem, screened_rows_for(lengths.size()), options.seed + 2);
  part.targets.resize(0, 0);  // what is unexplained is that of one target
  if (part.folds.folds.empty()) return std::nullopt;
  return Screening(part, lengths, options).run();
}

}  // namespace gpcv
