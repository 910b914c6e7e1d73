/// Cross-validation by factorising the stored covariance matrix.
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "evaluation/fold_evaluator.hpp"
#include "evaluation/held_out_variance.hpp"
#include "gpcv/error.hpp"
#include "operators/space.hpp"
#include "planning/budget.hpp"
#include "problem/fold_targets.hpp"
#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"

namespace gpcv {
namespace {

class DenseEvaluator final : public FoldEvaluator {
 public:
  DenseEvaluator(std::shared_ptr<const Problem> problem, const ComputeOptions& compute, std::shared_ptr<Work> work)
      : problem_(std::move(problem)), compute_(compute), work_(std::move(work)) {}

  double evaluate(const Vector& u, double) override {
    if (compute_.stop && compute_.stop()) throw Interrupted("stopped");
    // One matrix is held at a time: the accepted point's is needed no longer once another point is tried.
    factorised_.reset();
    trial_ = u;
    work_->kernel_passes += 1;
    try {
      factorised_.emplace(kernel_at(*problem_, u).lower(), noise_at(*problem_, u), problem_->x,
                          targets_of_folds(*problem_), problem_->fold_targets, problem_->folds, compute_);
    } catch (const NumericalError&) {
      return std::numeric_limits<double>::infinity();
    }
    work_->returned_to_host = work_->returned_to_host || factorised_->returned_to_host();
    return factorised_->residuals().squaredNorm();
  }

  /// A point that is still factorised is exact already.
  double verify(const Vector& u) override {
    const double value = factorised_ && u == trial_ ? factorised_->residuals().squaredNorm() : evaluate(u, 0);
    if (factorised_) accept();
    return value;
  }

  void accept() override {
    here_ = trial_;
    residuals_ = factorised_->residuals();
    jitter_ = factorised_->jitter();
  }
  double refine(double) override { return residuals_.squaredNorm(); }
  const Vector& residuals() const override { return residuals_; }
  const Vector& trial_residuals() const override { return factorised_->residuals(); }

  NormalEquations normal(double, const RowLoss& loss) override {
    const Matrix j = jacobian();
    const Vector& slope = loss.slope.size() > 0 ? loss.slope : residuals_;
    if (loss.weight.size() == 0) return {j.transpose() * j, j.transpose() * slope};
    return {j.transpose() * loss.weight.asDiagonal() * j, j.transpose() * slope};
  }

  Vector gradient(double, const Vector& slope) override {
    return 2 * (jacobian().transpose() * (slope.size() > 0 ? slope : residuals_));
  }

  Vector variances(const VarianceMethod& method, Index sample) override {
    if (method.kind == VarianceMethod::Kind::exact && at_accepted_point()) {
      return problem_->folds.by_row(of_factor([](const DenseCrossValidation& f) { return f.variances(); }));
    }
    factorised_.reset();
    return held_out_variance_at(*problem_, here_, method, sample, compute_);
  }

  AllRowWeights all_row_weights() const override {
    if (!at_accepted_point()) return {};
    AllRowWeights found;
    try {
      found.values = factorised_->weights();
    } catch (const OutOfDeviceMemory&) {
      return {};
    }
    if (found.values.size() > 0) found.residual = 0;
    return found;
  }
  Vector fold_weights(Index fold) override {
    return of_factor([&](const DenseCrossValidation& f) { return f.fold_weights(static_cast<std::size_t>(fold)); });
  }
  double jitter() const override { return jitter_; }
  void stop_when(std::function<bool()> stop) override { compute_.stop = std::move(stop); }

 private:
  bool at_accepted_point() const { return factorised_ && trial_ == here_; }
  /// A point that was tried and rejected, or variances, may have taken the place of the factor.
  void factorise_again() {
    if (!at_accepted_point() && !std::isfinite(evaluate(Vector(here_), 0))) {
      throw NumericalError("the matrix at the accepted point could not be factorised again");
    }
  }
  Matrix jacobian() {
    work_->kernel_passes += 1;
    return of_factor([&](const DenseCrossValidation& f) { return f.jacobian(!problem_->noise.fixed); });
  }
  /// The result of the factor at the accepted point, or of one on the host where the device has no room for the rest.
  template <class Function>
  std::invoke_result_t<Function, const DenseCrossValidation&> of_factor(const Function& result) {
    factorise_again();
    try {
      return result(*factorised_);
    } catch (const OutOfDeviceMemory&) {
      factorised_.reset();
      require_dense_memory(problem_->x.rows(), 2, "a factorisation that the device has no room for");
      work_->returned_to_host = true;
      compute_.backend = "simd";
      factorise_again();
      return result(*factorised_);
    }
  }

  std::shared_ptr<const Problem> problem_;
  ComputeOptions compute_;
  std::shared_ptr<Work> work_;
  std::optional<DenseCrossValidation> factorised_;  ///< at trial_
  Vector trial_, here_;                             ///< log θ as last evaluated, and as accepted
  Vector residuals_;
  double jitter_ = 0;
};

}  // namespace

std::unique_ptr<FoldEvaluator> dense_evaluator(std::shared_ptr<const Problem> problem, const ComputeOptions& compute,
                                               std::shared_ptr<Work> work) {
  return std::make_unique<DenseEvaluator>(std::move(problem), compute, std::move(work));
}

}  // namespace gpcv
