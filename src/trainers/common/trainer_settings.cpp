#include "trainers/common/trainer_settings.hpp"

#include <fmt/format.h>

#include "core/named.hpp"

namespace gpcv {

void TrainerSettings::apply(TrainOptions& options) const {
  options.trainer = trainer;
  if (preset != "default" && preset != "paper") {
    throw InputError(fmt::format("'{}' is none of the presets default, paper", preset));
  }
  const bool sweeps = trainer == "admm" || trainer == "naive" || trainer == "consensus";
  auto refuse = [&](bool said, const char* name, const char* whose) {
    if (!said) return;
    throw InputError(fmt::format("{} is an option of the trainer {}, not of {}", name, whose, trainer),
                     Remedy::omit_option, {name});
  };
  if (!sweeps) {
    constexpr const char* whose = "admm, naive or consensus";
    refuse(paper(), "preset", whose);
    refuse(theta_step.has_value(), "theta_step", whose);
    refuse(rho.has_value(), "rho", whose);
    refuse(rho_dual.has_value(), "rho_dual", whose);
    refuse(lambda0.has_value(), "lambda0", whose);
  }
  if (trainer == "likelihood") {
    constexpr const char* whose = "gauss-newton, admm, naive or consensus";
    refuse(epsilon.has_value(), "epsilon", whose);
    refuse(prior.has_value(), "prior", whose);
  }
  if (trainer != "gauss-newton") refuse(derivatives.has_value(), "derivatives", "gauss-newton");
  if (trainer != "admm" && trainer != "naive") refuse(trace_gap, "trace_gap", "admm or naive");
  if (trainer != "consensus") {
    refuse(inner.has_value(), "inner", "consensus");
    refuse(rho_consensus.has_value(), "rho_consensus", "consensus");
  }

  if (paper()) use_paper_preset(options);
  if (restarts) options.restarts = *restarts;
  if (max_iterations) options.max_iterations = *max_iterations;
  if (prior) options.prior = *prior;
  if (theta_step) {
    options.admm.theta_step = choice_named(
        *theta_step, {ThetaStep::coordinate, ThetaStep::gradient, ThetaStep::adam, ThetaStep::gauss_newton});
  }
  if (rho) options.admm.rho = *rho;
  if (rho_dual) options.admm.rho_dual = *rho_dual;
  if (lambda0) options.admm.lambda0 = *lambda0;
  if (epsilon) {
    options.admm.epsilon = options.consensus.epsilon = *epsilon;
    options.gauss_newton.tolerance = options.gauss_newton.nested_tolerance = *epsilon;
  }
  if (start) options.start = choice_named(*start, {Start::subset, Start::values, Start::median});
  if (derivatives) {
    options.gauss_newton.derivatives =
        choice_named(*derivatives, {Derivatives::automatic, Derivatives::forward, Derivatives::adjoint});
  }
  options.time_limit = time_limit;
  if (inner) options.consensus.inner = choice_named(*inner, {InnerEngine::admm, InnerEngine::gauss_newton});
  if (rho_consensus) options.consensus.rho = *rho_consensus;
  options.admm.trace_gap = trace_gap;
  if (no_period_scan) options.scan_periods = false;
}

}  // namespace gpcv
