#include "gpcv/admm.hpp"

#include "gpcv/trainer.hpp"

namespace gpcv {
namespace {

/// Safety limit of a θ-step that runs to its tolerance.
constexpr int safety_limit_of_theta_steps = 100000;
/// Steps of Adam per θ-step, after which z and λ follow.
constexpr int adam_theta_steps = 25;

}  // namespace

std::string_view name_of(ThetaStep step) {
  switch (step) {
    case ThetaStep::coordinate:
      return "coordinate";
    case ThetaStep::gradient:
      return "gradient";
    case ThetaStep::adam:
      return "adam";
    case ThetaStep::gauss_newton:
      break;
  }
  return "gauss-newton";
}

std::string_view name_of(StepRule rule) {
  switch (rule) {
    case StepRule::armijo:
      return "armijo";
    case StepRule::line:
      return "line";
    case StepRule::constant:
      break;
  }
  return "constant";
}

std::string_view name_of(StopRule rule) {
  switch (rule) {
    case StopRule::residuals:
      return "residuals";
    case StopRule::change:
      return "change";
    case StopRule::none:
      break;
  }
  return "none";
}

std::string_view name_of(ChooseBy choose) { return choose == ChooseBy::training ? "training" : "validation"; }

std::string_view name_of(InnerEngine engine) { return engine == InnerEngine::admm ? "admm" : "gauss-newton"; }

std::string_view name_of(ConsensusPenalty penalty) {
  return penalty == ConsensusPenalty::scalar ? "scalar" : "curvature";
}

int AdmmOptions::most_theta_steps() const {
  if (theta_steps) return *theta_steps;
  if (theta_step == ThetaStep::adam) return adam_theta_steps;
  return step_rule == StepRule::constant ? 1 : safety_limit_of_theta_steps;
}

AdmmOptions AdmmOptions::paper() {
  AdmmOptions options;
  options.theta_step = ThetaStep::coordinate;
  options.raw_theta = true;
  options.stop = StopRule::change;
  options.epsilon = 1e-2;
  options.rho = 5;
  options.balance_rho = false;
  options.lambda0 = 1;
  options.perturbation = 0.1;
  options.z_step_tolerance = 1e-5;
  options.z_iterations = 0;
  options.precondition = false;
  return options;
}

void use_paper_preset(TrainOptions& options) {
  options.admm = AdmmOptions::paper();
  options.consensus.penalty = ConsensusPenalty::scalar;
  options.consensus.rho = options.admm.rho;
  options.max_iterations = 100;
  options.restarts = 1;
  options.prior = 0;
  options.scan_periods = false;
}

void hold_variances(Kernel& kernel) {
  std::vector<Parameter> parameters(kernel.parameters().begin(), kernel.parameters().end());
  for (Parameter& p : parameters) {
    if (p.role == Role::variance) p.fixed = p.given = true;
  }
  kernel = kernel.with_parameters(std::move(parameters));
}

}  // namespace gpcv
