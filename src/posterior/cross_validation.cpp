#include <algorithm>
#include <limits>

#include "gpcv/posterior.hpp"
#include "posterior/conditioning.hpp"

namespace gpcv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// y_V − m_V = ([C⁻¹]_VV)⁻¹ [C⁻¹y]_V when everything outside V trains.
Vector by_one_inverse(const Problem& problem, const Folds& folds, int threads) {
  const Matrix inverse = factorise(problem.kernel.lower(), problem.x, problem.noise.variance, threads).take_inverse();
  const Vector weights = inverse * problem.y;
  Vector residuals = Vector::Constant(problem.x.rows(), nan);
  for (const Fold& fold : folds.folds) {
    residuals(fold.validation) =
        Cholesky(inverse(fold.validation, fold.validation), threads).solve(weights(fold.validation));
  }
  return residuals;
}

/// Rows so ordered that each of some folds trains on all rows before those it validates.
struct Chain {
  struct Link {
    const Fold* fold;
    Index first;  ///< where its validation rows begin in `order`
  };
  std::vector<Index> order;
  std::vector<Link> links;
};

/// Folds in order of their training rows, as few chains as that order allows: one for forward-chaining folds.
std::vector<Chain> chains_of(const Folds& folds) {
  std::vector<const Fold*> by_size;
  for (const Fold& fold : folds.folds) by_size.push_back(&fold);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Fold* a, const Fold* b) { return a->training.size() < b->training.size(); });
  std::vector<Chain> chains(1);
  std::vector<char> placed(static_cast<std::size_t>(folds.rows), 0);
  const auto is_placed = [&](Index row) { return placed[static_cast<std::size_t>(row)] != 0; };
  const auto place = [&](const std::vector<Index>& rows) {
    for (Index row : rows) {
      if (is_placed(row)) continue;
      placed[static_cast<std::size_t>(row)] = 1;
      chains.back().order.push_back(row);
    }
  };
  for (const Fold* fold : by_size) {
    const std::vector<Index>& training = fold->training;
    const auto known = static_cast<std::size_t>(std::count_if(training.begin(), training.end(), is_placed));
    // The fold carries the chain on when it trains on every row placed so far.
    if (known != chains.back().order.size()) {
      chains.emplace_back();
      std::fill(placed.begin(), placed.end(), char{0});
    }
    place(training);
    chains.back().links.push_back({fold, static_cast<Index>(chains.back().order.size())});
    place(fold->validation);
  }
  return chains;
}

/// y_V − m_V = y_V − L_VT z_T = L_VV z_V with C = L Lᵀ, z = L⁻¹y, when the rows T before V train.
void by_one_factor(const Problem& problem, const Chain& chain, int threads, Vector& residuals) {
  const Matrix x = problem.x(chain.order, Eigen::all);
  const Vector y = problem.y(chain.order);
  const Cholesky factor = factorise(problem.kernel.lower(), x, problem.noise.variance, threads);
  const Vector z = factor.half_solve(y);
  for (const auto& [fold, first] : chain.links) {
    const auto count = static_cast<Index>(fold->validation.size());
    residuals(fold->validation) = factor.multiply_factor(z.segment(first, count), first);
  }
}

/// All folds as columns of one batch, or of a few when memory is short; K z_k is the prediction of fold k.
Vector by_fold_system(const Problem& problem, const Folds& folds, const MemoryPlan& plan,
                      const ComputeOptions& compute) {
  const IterativeSystem iterative(problem, &folds, plan, compute);
  const FoldSystem& system = *iterative.system;
  const Matrix y = system.sorted(problem.y);
  Vector residuals = Vector::Constant(problem.x.rows(), nan);
  for (Index first = 0; first < folds.size(); first += plan.columns) {
    std::vector<int> of;
    for (Index k = first; k < std::min(first + plan.columns, folds.size()); ++k) of.push_back(static_cast<int>(k));
    const auto columns = static_cast<Index>(of.size());
    Matrix b = y.replicate(1, columns), z(y.rows(), columns), predicted(y.rows(), columns);
    system.mask(b, of);
    iterative.solve(b, of, z, 1e-6);
    system.predict(z, of, predicted, Arithmetic::exact);
    const Matrix mean = system.unsorted(predicted);
    for (Index c = 0; c < columns; ++c) {
      const std::vector<Index>& rows = folds.folds[static_cast<std::size_t>(first + c)].validation;
      residuals(rows) = problem.y(rows) - mean(rows, c);
    }
  }
  return residuals;
}

/// Whether each fold trains on exactly the rows it does not validate.
bool trains_the_rest(const Folds& folds) {
  return std::all_of(folds.folds.begin(), folds.folds.end(), [&](const Fold& fold) {
    return static_cast<Index>(fold.training.size() + fold.validation.size()) == folds.rows;
  });
}

}  // namespace

Vector cross_validation_residuals(const Problem& problem, const Folds& folds, const ComputeOptions& compute) {
  // A chain costs n³/3 at most and is what forward-chaining and a hold-out need; the inverse n³, for all folds.
  const bool invert = folds.size() > 1 && trains_the_rest(folds);
  MemoryRequest request = memory_request(problem, folds.size(), folds.size(), compute);
  for (const Fold& fold : folds.folds) {
    if (invert) request.largest_fold = std::max(request.largest_fold, static_cast<Index>(fold.validation.size()));
  }
  const MemoryPlan plan = plan_memory(request);
  if (plan.solver != Solver::cholesky) return by_fold_system(problem, folds, plan, compute);
  if (invert) return by_one_inverse(problem, folds, compute.threads);
  Vector residuals = Vector::Constant(problem.x.rows(), nan);
  for (const Chain& chain : chains_of(folds)) by_one_factor(problem, chain, compute.threads, residuals);
  return residuals;
}

}  // namespace gpcv
