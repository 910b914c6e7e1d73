#include "evaluation/held_out_variance.hpp"

#include <algorithm>
#include <limits>

#include "core/random.hpp"
#include "evaluation/neighbour_variance.hpp"
#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"

namespace gpcv {
namespace {

/// The seed of the sample of rows: any seed does, one seed gives one result.
constexpr std::uint64_t sample_seed = 1;

/// Up to this many rows the inverse gives all folds at once. Above, a sample comes from one fold, whose factor takes a
/// third of the time: of 4000 rows, 0.5 s of a fit of 2.2 s.
constexpr Index all_folds_rows = 2000;

/// The fold that trains on most rows alone. In forward-chaining that is the last block, which is predicted as new data
/// will be.
Folds largest_fold(const Folds& folds) {
  const auto largest = std::max_element(folds.folds.begin(), folds.folds.end(), [](const Fold& a, const Fold& b) {
    return a.training.size() < b.training.size();
  });
  return {folds.rows, {*largest}, folds.description};
}

Vector by_factor(const Problem& problem, const KernelProgram& program, double noise, Index sample,
                 const ComputeOptions& compute) {
  const bool all = problem.x.rows() <= all_folds_rows || sample >= problem.folds.validated();
  const Folds folds = all ? problem.folds : largest_fold(problem.folds);
  const DenseCrossValidation dense(program, noise, problem.x, problem.y, folds, compute);
  return folds.by_row(dense.variances());
}

Vector by_neighbours(const Problem& problem, const KernelProgram& program, double noise, Index neighbours, Index sample,
                     const ComputeOptions& compute) {
  Vector variances = Vector::Constant(problem.x.rows(), std::numeric_limits<double>::quiet_NaN());
  Random random(sample_seed);
  const Index per_fold = std::max<Index>(1, sample / problem.folds.size());
  for (const Fold& fold : problem.folds.folds) {
    std::vector<Index> rows;
    const auto order = random.permutation(static_cast<Index>(fold.validation.size()));
    for (std::size_t i = 0; i < order.size() && static_cast<Index>(i) < per_fold; ++i) {
      rows.push_back(fold.validation[static_cast<std::size_t>(order[i])]);
    }
    const Matrix training = problem.x(fold.training, Eigen::all);
    const NeighbourVariance estimator(program, training, noise, neighbours, compute);
    variances(rows) = estimator.variance(problem.x(rows, Eigen::all)).cwiseMax(0).array() + noise;
  }
  return variances;
}

}  // namespace

Vector held_out_variance_at(const Problem& problem, const Vector& log_theta, const VarianceMethod& method, Index sample,
                            const ComputeOptions& compute) {
  const KernelProgram program = kernel_at(problem, log_theta).lower();
  const double noise = noise_at(problem, log_theta);
  return method.kind == VarianceMethod::Kind::neighbours
             ? by_neighbours(problem, program, noise, method.neighbours, sample, compute)
             : by_factor(problem, program, noise, sample, compute);
}

}  // namespace gpcv
