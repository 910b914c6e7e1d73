#include <algorithm>

#include "backends/dense_kernel.hpp"
#include "evaluation/conditioning.hpp"
#include "prediction/variance.hpp"

namespace gpcv {
namespace {

/// Relative residual of the solves. The error of the explained variance is quadratic in it, but is compared with the
/// remainder of the prior variance, which is small where data are dense.
constexpr double residual_of_variance = 1e-9;
constexpr Index columns_at_once = 64;

Problem as_problem(const Model& model) {
  return {model.x, model.y, model.kernel, {.variance = model.noise, .fixed = true}};
}

class IterativeVariance final : public VarianceEstimator {
 public:
  IterativeVariance(const Model& model, ComputeOptions compute)
      : program_(model.kernel.lower()), x_(model.x), threads_(compute.threads) {
    compute.solver = Solver::cg;
    const Problem problem = as_problem(model);
    const IterativePlan plan = plan_solves(shape_of(problem, columns_at_once), compute).iterative;
    columns_ = plan.columns;
    solver_ = std::make_unique<IterativeSystem>(problem, plan, compute);
  }

  Vector variance(ConstView points) const override {
    Vector out = kernel_diagonal(program_, points);
    for (Index first = 0; first < points.rows(); first += columns_) {
      const Index count = std::min(columns_, points.rows() - first);
      const Matrix cross = dense_kernel(program_, x_, points.middleRows(first, count), threads_);
      Matrix solution = Matrix::Zero(cross.rows(), count), product(cross.rows(), count);
      const std::vector<int> system(static_cast<std::size_t>(count), 0);
      solver_->solve(cross, system, solution, residual_of_variance);
      // k*ᵀC⁻¹k* ≈ 2 k*ᵀx − xᵀCx: an error of x enters squared, and it never makes the variance too small.
      solver_->system->apply(solution, system, product, Arithmetic::exact);
      for (Index c = 0; c < count; ++c) {
        out(first + c) -= 2 * cross.col(c).dot(solution.col(c)) - solution.col(c).dot(product.col(c));
      }
    }
    return out;
  }

 private:
  KernelProgram program_;
  const Matrix& x_;
  int threads_;
  Index columns_ = 1;
  std::unique_ptr<IterativeSystem> solver_;
};

}  // namespace

std::unique_ptr<VarianceEstimator> iterative_variance(const Model& model, const ComputeOptions& compute) {
  return std::make_unique<IterativeVariance>(model, compute);
}

}  // namespace gpcv
