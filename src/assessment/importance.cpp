#include "assessment/importance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/operator.hpp"

namespace gpcv {
namespace {

/// Pairs of points that cost less than a second with few inputs, the number of inputs that doubles the cost of a pair,
/// numbers of held-out rows, and the most others for each of them.
constexpr double few_pairs = 1e8, few_inputs = 10;
constexpr Index most_rows = 2000, least_rows = 20, most_others = 30;
/// Numbers in the inputs of the points that are predicted at once: every product copies and sorts the training rows, so
/// that few points cost as much as some hundreds.
constexpr Index most_numbers = 4'000'000;

/// Standard error of a mean whose terms have these deviations from it, where terms of one cluster c are dependent:
///   SE² = C/(C − 1) Σ_c (Σ_{i ∈ c} d_i)² / n².
double clustered_error(const Vector& deviations, const std::vector<Index>& cluster) {
  std::map<Index, double> sums;
  for (Index i = 0; i < deviations.size(); ++i) sums[cluster[static_cast<std::size_t>(i)]] += deviations(i);
  const auto clusters = static_cast<double>(sums.size()), n = static_cast<double>(deviations.size());
  if (clusters < 2) return std::numeric_limits<double>::quiet_NaN();
  double squares = 0;
  for (const auto& [c, sum] : sums) squares += sum * sum;
  return std::sqrt(clusters / (clusters - 1) * squares) / n;
}

}  // namespace

ImportanceMeasurement::ImportanceMeasurement(const Folds& folds, std::vector<Input> inputs, std::uint64_t seed)
    : inputs_(std::move(inputs)) {
  std::vector<HeldRow> all;
  for (Index k = 0; k < folds.size(); ++k) {
    for (const Index row : folds.folds[static_cast<std::size_t>(k)].validation) all.push_back({k, row});
  }
  const auto n = static_cast<double>(folds.rows), d = static_cast<double>(inputs_.size());
  const double pairs = std::max(few_pairs, n * n) / (1 + d / few_inputs);
  const auto affordable = static_cast<Index>(std::min(pairs / (n * d), 1e9));
  const auto validated = static_cast<Index>(all.size());
  const Index count = std::min(validated, std::clamp(affordable, least_rows, most_rows));
  Random random(seed);
  std::vector<std::int64_t> chosen = random.permutation(validated);
  chosen.resize(static_cast<std::size_t>(count));
  std::sort(chosen.begin(), chosen.end());
  for (const std::int64_t i : chosen) held_.push_back(all[static_cast<std::size_t>(i)]);
  // Where all others are affordable, the mean over them is exact.
  others_ = std::min(count - 1, std::clamp<Index>(affordable / std::max<Index>(count, 1), 1, most_others));
  circle_ = random.permutation(count);
  place_.resize(circle_.size());
  for (std::size_t i = 0; i < circle_.size(); ++i) {
    place_[static_cast<std::size_t>(circle_[i])] = static_cast<std::int64_t>(i);
  }
  with_ = Vector::Zero(count);
  without_.assign(inputs_.size(), Matrix::Zero(count, std::max<Index>(others_, 0)));
}

/// The row of the sample that lends row i its value at this step.
Index ImportanceMeasurement::other(Index i, Index step) const {
  return circle_[static_cast<std::size_t>((place_[static_cast<std::size_t>(i)] + 1 + step) % size())];
}

/// The first row of the sample that the fold holds out, and the one behind its last.
std::pair<Index, Index> ImportanceMeasurement::range(Index fold) const {
  const auto before = [](const HeldRow& held, Index k) { return held.fold < k; };
  const auto first = std::lower_bound(held_.begin(), held_.end(), fold, before);
  const auto last = std::lower_bound(first, held_.end(), fold + 1, before);
  return {first - held_.begin(), last - held_.begin()};
}

std::vector<Index> ImportanceMeasurement::rows(Index fold, std::size_t part) const {
  const auto [first, last] = range(fold);
  std::vector<Index> rows;
  for (Index i = first; i < last; ++i) {
    rows.insert(rows.end(), part == 0 ? 1 : static_cast<std::size_t>(others_), held(i).row);
  }
  return rows;
}

Matrix ImportanceMeasurement::points(Index fold, std::size_t part, ConstView x) const {
  const auto [first, last] = range(fold);
  Matrix points = x(rows(fold, part), Eigen::all);
  if (part == 0) return points;
  Index at = 0;
  for (Index i = first; i < last; ++i) {
    for (Index step = 0; step < others_; ++step, ++at) {
      for (const Index c : inputs_[part - 1].columns) points(at, c) = x(held(other(i, step)).row, c);
    }
  }
  return points;
}

void ImportanceMeasurement::measure(Index fold, ConstView x, const Errors& errors_of) {
  if (!samples(fold)) return;
  const Index at_once = most_numbers / std::max<Index>(1, x.cols());
  for (std::size_t first = 0; first < parts();) {
    std::vector<Index> together = rows(fold, first);
    std::size_t last = first + 1;
    for (; last < parts() && static_cast<Index>(together.size()) < at_once; ++last) {
      const std::vector<Index> more = rows(fold, last);
      together.insert(together.end(), more.begin(), more.end());
    }
    Matrix joined(static_cast<Index>(together.size()), x.cols());
    Index at = 0;
    for (std::size_t part = first; part < last; ++part) {
      const Matrix own = points(fold, part, x);
      joined.middleRows(at, own.rows()) = own;
      at += own.rows();
    }
    const Vector errors = errors_of(joined, together);
    at = 0;
    for (; first < last; ++first) {
      const auto count = static_cast<Index>(rows(fold, first).size());
      add(fold, first, errors.segment(at, count));
      at += count;
    }
  }
}

void ImportanceMeasurement::add(Index fold, std::size_t part, const Vector& errors) {
  const auto [first, last] = range(fold);
  if (part == 0) {
    with_.segment(first, last - first) = errors.cwiseAbs2();
    return;
  }
  Matrix& without = without_[part - 1];
  for (Index i = first; i < last; ++i) without.row(i) = errors.segment((i - first) * others_, others_).cwiseAbs2();
}

/// Importance of one input. The increase is a mean over pairs of rows, i that is predicted and o that lends its value:
/// a row counts by what it loses and by what others lose by its value. With δ_io = e_io² − e_i², c = 1/(2 rmse_j), c' =
/// 1/(2 rmse) and R others, to first order
///   d_i = c (mean_o δ_io + mean_o δ_oi − 2 mean δ) + (c − c') (e_i² − rmse²),
///   SE² = C/(C − 1) Σ_c (Σ_{i ∈ c} d_i)²/n² − c² var δ/(n R),
/// since d counts what is peculiar to a pair twice. The difference is at least half of the first term.
InputImportance ImportanceMeasurement::importance_of(std::size_t input, const std::vector<Index>& cluster) const {
  constexpr double rounding = 1e-12;
  const Matrix& without = without_[input];
  const Matrix lost = without.colwise() - with_;
  const std::string& name = inputs_[input].name;
  if (lost.cwiseAbs().maxCoeff() <= rounding * with_.mean()) return {name, 0, 0};
  const double rmse = std::sqrt(with_.mean()), rmse_without = std::sqrt(without.mean()), mean = lost.mean();
  const double c = 0.5 / rmse_without, c_with = rmse > 0 ? 0.5 / rmse : 0;
  Vector deviations = c * (lost.rowwise().mean().array() - 2 * mean) + (c - c_with) * (with_.array() - with_.mean());
  for (Index i = 0; i < lost.rows(); ++i) {
    for (Index step = 0; step < lost.cols(); ++step) {
      deviations(other(i, step)) += c * lost(i, step) / static_cast<double>(lost.cols());
    }
  }
  const double error = clustered_error(deviations, cluster);
  const double of_pairs = c * c * (lost.array() - mean).square().mean() / static_cast<double>(lost.size());
  return {name, rmse_without - rmse, std::sqrt(std::max(error * error - of_pairs, 0.5 * error * error))};
}

Importance ImportanceMeasurement::result(const std::vector<Index>& cluster) const {
  std::vector<Index> own;
  for (const HeldRow& held : held_) {
    own.push_back(cluster.empty() ? held.row : cluster[static_cast<std::size_t>(held.row)]);
  }
  Importance out{size(), std::sqrt(with_.mean()), {}};
  for (std::size_t j = 0; j < inputs_.size(); ++j) out.inputs.push_back(importance_of(j, own));
  std::stable_sort(out.inputs.begin(), out.inputs.end(),
                   [](const auto& a, const auto& b) { return a.increase > b.increase; });
  return out;
}

Importance importance_of_folds(const Problem& problem, FoldPredictions& evaluator, const Vector& to_target,
                               ImportanceMeasurement measurement, const std::vector<Index>& cluster,
                               const ComputeOptions& compute) {
  if (!measurement.is_possible()) return {};
  ComputeOptions in_double = compute;
  in_double.precision = Precision::double_;  // products with weights cancel where data are dense
  const KernelProgram program = problem.kernel.lower();
  for (Index k = 0; k < problem.folds.size(); ++k) {
    if (!measurement.samples(k)) continue;
    const Vector z = evaluator.fold_weights(k);
    if (z.size() == 0) return {};
    measurement.measure(k, problem.x, [&](const Matrix& points, const std::vector<Index>& rows) -> Vector {
      if (compute.stop && compute.stop()) throw Interrupted("stopped");
      Matrix predicted(points.rows(), 1);
      make_operator(program, points, problem.x, in_double)->apply(z, predicted);
      return to_target(rows).cwiseProduct(problem.y(rows) - predicted.col(0));
    });
  }
  return measurement.result(cluster);
}

}  // namespace gpcv
