#include "fit/row_screening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/parallel.hpp"
#include "model/design.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// Rows among which neighbours are looked for.
constexpr Index most_references = 3000;
/// Neighbours of a row: of twelve, outliers are hardly ever half, even where every fifth row is one.
constexpr Index fewest_neighbours = 5, most_neighbours = 12, rows_per_neighbour = 8;
/// Deviations from which a row loses weight. A smaller error is left to the held-out errors of a model.
constexpr double far_off = 6;
/// Deviation of a normal distribution with a median distance of one.
constexpr double deviation_of_median = 1.4826;
/// Rows that are screened at once by one thread.
constexpr Index rows_at_once = 256;
constexpr std::uint64_t seed = 1;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A target that varies, in units of the rows' own noise.
Vector relative_noise(const Dataset& data) {
  const RowNoise noise = RowNoise::of(data).without_trust();
  return noise.empty() ? Vector::Ones(data.rows()) : noise.row_scale;
}

/// Difference of a row's target from the median of its neighbours', and the spread of theirs.
struct LocalError {
  double error = 0, spread = 0;
};

class Neighbourhood {
 public:
  explicit Neighbourhood(const Dataset& data)
      : y_(data.y),
        x_(Standardization::fit(data.x, data.y).inputs(data.x).transpose()),
        references_(random_rows(data.rows(), std::min(data.rows(), most_references), seed)),
        near_(x_(Eigen::all, references_)),
        count_(std::clamp(data.rows() / rows_per_neighbour, fewest_neighbours, most_neighbours)) {}

  LocalError at(Index row) const {
    const Vector distance = (near_.colwise() - x_.col(row)).colwise().squaredNorm();
    std::vector<Index> order;
    for (Index j = 0; j < distance.size(); ++j) {
      if (references_[static_cast<std::size_t>(j)] != row) order.push_back(j);
    }
    const auto last = order.begin() + std::min<std::ptrdiff_t>(count_, std::ssize(order));
    std::partial_sort(order.begin(), last, order.end(),
                      [&](Index a, Index b) { return distance(a) != distance(b) ? distance(a) < distance(b) : a < b; });
    std::vector<double> values;
    for (auto j = order.begin(); j != last; ++j) values.push_back(y_(references_[static_cast<std::size_t>(*j)]));
    const double middle = median(values);
    for (double& value : values) value = std::abs(value - middle);
    return {y_(row) - middle, deviation_of_median * median(values)};
  }

 private:
  const Vector& y_;
  const Matrix x_;  ///< standardised, one column per row
  const std::vector<Index> references_;
  const Matrix near_;
  const Index count_;
};

}  // namespace

Vector screened_weights(const Dataset& data, int threads) {
  const Index n = data.rows();
  if (n <= 2 * fewest_neighbours) return {};
  const Neighbourhood neighbourhood(data);
  std::vector<LocalError> errors(static_cast<std::size_t>(n));
  const Index pieces = (n + rows_at_once - 1) / rows_at_once;
  parallel_for(static_cast<int>(pieces), std::max(1, threads), [&](int piece) {
    const Index last = std::min(n, (piece + 1) * rows_at_once);
    for (Index i = piece * rows_at_once; i < last; ++i) errors[static_cast<std::size_t>(i)] = neighbourhood.at(i);
  });
  std::vector<double> sizes;
  for (const LocalError& e : errors) sizes.push_back(std::abs(e.error));
  const double usual = deviation_of_median * median(sizes);
  if (!(usual > 0)) return {};
  const Vector scale = relative_noise(data);
  Vector weights = Vector::Ones(n);
  for (Index i = 0; i < n; ++i) {
    const LocalError& e = errors[static_cast<std::size_t>(i)];
    const double z = e.error * std::min(1.0, scale(i)) / std::max(usual, e.spread);
    // w = (ν + 1)/(ν + z²) with ν = 1
    if (std::abs(z) > far_off) weights(i) = 2 / (1 + z * z);
  }
  return weights.minCoeff() < 1 ? weights : Vector();
}

std::optional<Dataset> screened(const Dataset& data, const FitOptions& options) {
  if (!options.robust) return std::nullopt;
  Vector weights = screened_weights(data, options.train.compute.threads);
  if (weights.size() == 0) return std::nullopt;
  Dataset out = data;
  out.trust = std::move(weights);
  return out;
}

Standardization trusted_scaling(const Dataset& data) {
  Standardization all = Standardization::fit(data.x, data.y);
  std::vector<Index> rows;
  for (Index i = 0; i < data.trust.size(); ++i) {
    if (data.trust(i) >= RowTrust::distrusted_below) rows.push_back(i);
  }
  if (rows.empty()) return all;
  const Standardization some = Standardization::fit(data.x(rows, Eigen::all), data.y(rows));
  all.y_mean = some.y_mean;
  all.y_scale = some.y_scale;
  return all;
}

}  // namespace gpcv
