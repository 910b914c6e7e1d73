#include "evaluation/held_out_variance.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "core/random.hpp"
#include "data/folds/repeated_folds.hpp"
#include "evaluation/neighbour_variance.hpp"
#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"

namespace gpcv {
namespace {

/// The seed of the sample of rows: any seed does, one seed gives one result.
constexpr std::uint64_t sample_seed = 1;

/// Number of rows up to which the inverse gives the variances of all folds at once. Above it a sample comes from one
/// fold, whose factor takes a third of the time: 0.5 s of a fit of 2.2 s with 4000 rows.
constexpr Index all_folds_rows = 2000;

/// The fold with the most training rows among those that validate `sample` rows; all folds if there is none. In forward
/// chaining that is the last block, which is predicted as new data will be.
Folds sampled_folds(const Folds& folds, Index sample) {
  const Fold* best = nullptr;
  for (const Fold& fold : folds.folds) {
    if (static_cast<Index>(fold.validation.size()) < sample) continue;
    if (best == nullptr || fold.training.size() >= best->training.size()) best = &fold;
  }
  return best == nullptr ? folds : Folds{folds.rows, {*best}, folds.description};
}

/// Rows among which the neighbours are looked for. A few neighbours serve as a rough scale of all rows, which would
/// take the time of many products if each were looked for among all rows of a large table.
std::vector<Index> conditioned_on(const std::vector<Index>& training, Index neighbours, Random& random) {
  constexpr Index few = 64, most_rows = 20000;
  const auto rows = static_cast<Index>(training.size());
  if (neighbours > few || rows <= most_rows) return training;
  std::vector<Index> chosen;
  const std::vector<Index> order = random.permutation(rows);
  for (Index i = 0; i < most_rows; ++i) {
    chosen.push_back(training[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// `count` of the rows, which are in random order. Where cells share a factorisation, a row brings others of its cell.
std::vector<Index> drawn_rows(const Matrix& x, const std::vector<Index>& rows, Index count, const RowCells* cells) {
  constexpr std::size_t from_cell = 4;
  if (cells == nullptr) return {rows.begin(), rows.begin() + std::min(count, static_cast<Index>(rows.size()))};
  std::map<Index, std::vector<Index>> of_cell;
  std::vector<Index> met, drawn;  // cells in the order of their first row
  for (const Index i : rows) {
    const Index cell = cells->cell_of(x, i);
    if (of_cell[cell].empty()) met.push_back(cell);
    of_cell[cell].push_back(i);
  }
  for (std::size_t round = 0; static_cast<Index>(drawn.size()) < count && drawn.size() < rows.size(); ++round) {
    for (const Index cell : met) {
      const std::vector<Index>& own = of_cell[cell];
      for (std::size_t i = round * from_cell; i < std::min(own.size(), (round + 1) * from_cell); ++i) {
        if (static_cast<Index>(drawn.size()) < count) drawn.push_back(own[i]);
      }
    }
  }
  return drawn;
}

Vector by_factor(const Problem& problem, const KernelProgram& program, double noise, Index sample,
                 const ComputeOptions& compute) {
  const Folds folds = problem.x.rows() <= all_folds_rows ? problem.folds : sampled_folds(problem.folds, sample);
  const DenseCrossValidation dense(program, noise, problem.x, problem.y, folds, compute);
  return folds.by_row(dense.variances());
}

Vector by_neighbours(const Problem& problem, const KernelProgram& program, double noise, Index neighbours, Index sample,
                     const ComputeOptions& compute) {
  Vector variances = Vector::Constant(problem.x.rows(), std::numeric_limits<double>::quiet_NaN());
  Random random(sample_seed);
  Index folds = 0;
  for (std::size_t k = 0; k < problem.folds.folds.size(); ++k) folds += repeats(problem.folds, k) ? 0 : 1;
  const Index per_fold = std::max<Index>(1, sample / folds);
  for (std::size_t k = 0; k < problem.folds.folds.size(); ++k) {
    if (repeats(problem.folds, k)) continue;  // its variances are those of the fold before
    const Fold& fold = problem.folds.folds[k];
    std::vector<Index> order;
    for (const std::int64_t i : random.permutation(static_cast<Index>(fold.validation.size()))) {
      order.push_back(fold.validation[static_cast<std::size_t>(i)]);
    }
    const Matrix training = problem.x(conditioned_on(fold.training, neighbours, random), Eigen::all);
    const NeighbourVariance estimator(program, training, noise, neighbours, compute);
    const std::vector<Index> rows = drawn_rows(problem.x, order, per_fold, estimator.cells());
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
