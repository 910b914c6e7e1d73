#include "fit/row_screening.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/median.hpp"
#include "core/parallel.hpp"
#include "fit/transformed_data.hpp"
#include "model/design.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// Rows among which neighbours are looked for.
constexpr Index most_references = 3000;
/// Neighbours of a row: of twelve, outliers are hardly ever half, even where every fifth row is one. A plane needs some
/// for each of its coefficients; with fewer, a row is compared with the median.
constexpr Index fewest_neighbours = 5, usual_neighbours = 12, most_neighbours = 40, rows_per_neighbour = 4;
constexpr Index per_coefficient = 4;
/// Reweightings of the plane, and the deviations at which a neighbour counts half.
constexpr int reweightings = 4;
constexpr double half_weight = 2;
/// Part of the neighbours' mean square distance that keeps slopes determined.
constexpr double ridge = 1e-3;
/// Deviations from which a row loses weight. A smaller error is left to the held-out errors of a model.
constexpr double far_off = 6, least_weight = 1e-24;
/// Deviation of a normal distribution with a median distance of one.
constexpr double deviation_of_median = 1.4826;
/// Rows that are screened at once by one thread.
constexpr Index rows_at_once = 256;
constexpr std::uint64_t seed = 1;

/// Weights of the rows' own noise: 1 where they have none.
Vector relative_noise(const Dataset& data) {
  const RowNoise noise = RowNoise::of(data).without_trust();
  return noise.empty() ? Vector::Ones(data.rows()) : noise.row_scale;
}

/// Difference of a row's target from what its neighbours predict, and the spread of their own differences.
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
        count_(std::clamp(data.rows() / rows_per_neighbour, fewest_neighbours,
                          std::clamp(per_coefficient * (data.inputs() + 1), usual_neighbours, most_neighbours))) {}

  LocalError at(Index row) const {
    const Vector distance = (near_.colwise() - x_.col(row)).colwise().squaredNorm();
    std::vector<Index> order;
    for (Index j = 0; j < distance.size(); ++j) {
      if (references_[static_cast<std::size_t>(j)] != row) order.push_back(j);
    }
    const auto last = order.begin() + std::min<std::ptrdiff_t>(count_, std::ssize(order));
    std::partial_sort(order.begin(), last, order.end(),
                      [&](Index a, Index b) { return distance(a) != distance(b) ? distance(a) < distance(b) : a < b; });
    order.erase(last, order.end());
    Vector values(std::ssize(order));
    Matrix steps(x_.rows(), values.size());
    for (Index j = 0; j < values.size(); ++j) {
      values(j) = y_(references_[static_cast<std::size_t>(order[static_cast<std::size_t>(j)])]);
      steps.col(j) = near_.col(order[static_cast<std::size_t>(j)]) - x_.col(row);
    }
    return error_of(y_(row), values, steps);
  }

 private:
  /// The error of a target beside neighbours at these steps from it: from their median first, then from a plane with
  /// weights 1/(1 + (r_j/(2s))²) of their residuals r_j, whose spread is s.
  LocalError error_of(double target, const Vector& values, const Matrix& steps) const {
    double centre = median(values);
    Vector residuals = values.array() - centre;
    double spread = spread_of(residuals);
    const Index coefficients = steps.rows() + 1;
    const bool fits = values.size() >= per_coefficient * coefficients;
    for (int r = 0; fits && spread > 0 && r < reweightings; ++r) {
      const Vector weights = (1 + (residuals / (half_weight * spread)).array().square()).inverse();
      Matrix design(values.size(), coefficients);
      design << Vector::Ones(values.size()), steps.transpose();
      Matrix normal = design.transpose() * weights.asDiagonal() * design;
      const double share = ridge * weights.sum() * steps.squaredNorm() / static_cast<double>(steps.size());
      normal.diagonal().tail(steps.rows()).array() += share;
      const Vector plane = normal.ldlt().solve(design.transpose() * weights.cwiseProduct(values));
      if (!plane.allFinite()) break;
      centre = plane(0);
      residuals = values - design * plane;
      spread = spread_of(residuals);
    }
    return {target - centre, spread};
  }

  static double spread_of(const Vector& residuals) { return deviation_of_median * median(residuals.cwiseAbs()); }

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
  Vector sizes(n);
  for (Index i = 0; i < n; ++i) sizes(i) = std::abs(errors[static_cast<std::size_t>(i)].error);
  const double usual = deviation_of_median * median(sizes);
  if (!(usual > 0)) return {};
  const Vector scale = relative_noise(data);
  Vector weights = Vector::Ones(n);
  for (Index i = 0; i < n; ++i) {
    const LocalError& e = errors[static_cast<std::size_t>(i)];
    const double z = e.error * std::min(1.0, scale(i)) / std::max(usual, e.spread);
    // w = z⁻⁴: the first training is to be nearly as without the row; held-out errors then decide.
    if (std::abs(z) > far_off) weights(i) = std::max(std::pow(z, -4), least_weight);
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

std::optional<Dataset> screened_on_every_scale(const Dataset& data, const FitOptions& options) {
  if (!options.robust || !options.transform.depends_on_data()) return std::nullopt;
  std::vector<TransformOptions> scales{TransformOptions(), options.transform};
  if (options.transform.automatic) scales = transform_candidates(data, options.transform);
  Dataset out = data;
  out.trust = Vector::Ones(data.rows());
  for (const TransformOptions& scale : scales) {
    const Vector weights = screened_weights(transformed(data, placed(scale, data.y)), options.train.compute.threads);
    if (weights.size() > 0) out.trust = out.trust.cwiseMin(weights);
  }
  if (out.trust.minCoeff() == 1) return std::nullopt;
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
