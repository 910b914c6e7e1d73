#include "solvers/holdout_solver.hpp"

#include <algorithm>
#include <vector>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// The preconditioner P P, for systems similar to C².
class Twice final : public Preconditioner {
 public:
  explicit Twice(const Preconditioner& once) : once_(once) {}
  void apply(ConstView r, std::span<const int> system, View z) const override {
    Matrix half(r.rows(), r.cols());
    once_.apply(r, system, half);
    once_.apply(half, system, z);
  }

 private:
  const Preconditioner& once_;
};

}  // namespace

void HoldoutSolver::precondition(std::shared_ptr<const HoldoutSystem> system) {
  preconditioner_.reset();
  preconditioned_ = std::move(system);
  if (rank_ > 0) {
    preconditioner_ = std::make_unique<FoldPreconditioner>(
        preconditioned_->covariance(), std::min(rank_, preconditioned_->training()), pivot_seed, options_.threads);
  }
}

void HoldoutSolver::follow(const std::shared_ptr<const HoldoutSystem>& system, const Vector& log_theta) {
  if (followed_.size() > 0 && (log_theta - followed_).cwiseAbs().maxCoeff() <= preconditioner_range) return;
  precondition(system);
  followed_ = log_theta;
}

CgOptions HoldoutSolver::with_stop(CgOptions how) const {
  how.threads = options_.threads;
  how.progress = [this](int, double) { return !options_.stop || !options_.stop(); };
  return how;
}

CgSummary HoldoutSolver::solve_covariance(const HoldoutSystem& system, ConstView b, View x, double tolerance) const {
  const CgOptions how{.tolerance = tolerance, .max_iterations = iteration_limit::holdout(system.training())};
  const std::vector<int> of(static_cast<std::size_t>(b.cols()), 0);
  const CgSummary summary = solve_cg(system.covariance(), preconditioner_.get(), b, of, x, with_stop(how));
  if (summary.status == Status::stopped) throw Interrupted("stopped before the end");
  return summary;
}

CgSummary HoldoutSolver::solve_sigma(const HoldoutSystem& system, double rho, ConstView b, View x,
                                     const CgOptions& how) const {
  const std::vector<int> of(static_cast<std::size_t>(b.cols()), 0);
  const SigmaSystem sigma(system, rho);
  CgSummary summary;
  if (preconditioner_) {
    const Twice twice(*preconditioner_);
    summary = solve_cg(sigma, &twice, b, of, x, with_stop(how));
  } else {
    summary = solve_cg(sigma, nullptr, b, of, x, with_stop(how));
  }
  if (summary.status == Status::stopped) throw Interrupted("stopped before the end");
  return summary;
}

}  // namespace gpcv
