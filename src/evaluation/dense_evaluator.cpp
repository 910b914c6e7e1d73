#include <limits>
#include <optional>

#include "evaluation/fold_evaluator.hpp"
#include "gpcv/error.hpp"
#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"

namespace gpcv {
namespace {

class DenseEvaluator final : public FoldEvaluator {
 public:
  DenseEvaluator(const Problem& problem, const ComputeOptions& compute, Work& work)
      : problem_(problem), compute_(compute), work_(work) {}

  double evaluate(const Vector& u, double) override {
    if (compute_.stop && compute_.stop()) throw Interrupted("stopped");
    // A matrix at a time: what was accepted is needed no longer once something else is tried.
    here_.reset();
    work_.kernel_passes += 1;
    try {
      here_.emplace(kernel_at(problem_, u).lower(), noise_at(problem_, u), problem_.x, problem_.y, problem_.folds,
                    compute_);
    } catch (const NumericalError&) {
      return std::numeric_limits<double>::infinity();
    }
    return here_->residuals().squaredNorm();
  }

  double verify(const Vector& u) override {
    const double value = evaluate(u, 0);
    if (here_) residuals_ = here_->residuals();
    return value;
  }

  void accept() override { residuals_ = here_->residuals(); }
  double refine(double) override { return residuals_.squaredNorm(); }
  const Vector& residuals() const override { return residuals_; }

  NormalEquations normal(double) override {
    work_.kernel_passes += 1;
    const Matrix j = here_->jacobian(!problem_.noise.fixed);
    return {j.transpose() * j, j.transpose() * residuals_};
  }

  Vector gradient(double) override { return 2 * normal(0).jtr; }

 private:
  const Problem& problem_;
  ComputeOptions compute_;
  Work& work_;
  std::optional<DenseCrossValidation> here_;
  Vector residuals_;
};

}  // namespace

std::unique_ptr<FoldEvaluator> dense_evaluator(const Problem& problem, const ComputeOptions& compute, Work& work) {
  return std::make_unique<DenseEvaluator>(problem, compute, work);
}

}  // namespace gpcv
