#include "gpcv/trainer.hpp"

namespace gpcv {

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

std::string_view name_of(InnerEngine engine) { return engine == InnerEngine::admm ? "admm" : "gauss-newton"; }

AdmmOptions AdmmOptions::paper() {
  AdmmOptions options;
  options.theta_step = ThetaStep::coordinate;
  options.raw_theta = true;
  options.published_stop = true;
  options.epsilon = 1e-2;
  options.rho = 5;
  options.balance_rho = false;
  options.lambda0 = 1;
  options.perturbation = 0.1;
  options.z_step_tolerance = 1e-5;
  options.precondition = false;
  return options;
}

void use_paper_preset(TrainOptions& options) {
  options.admm = AdmmOptions::paper();
  options.max_iterations = 100;
  options.restarts = 1;
  options.prior = 0;
  options.scan_periods = false;
}

void hold_variances(Kernel& kernel, Noise& noise) {
  std::vector<Parameter> parameters(kernel.parameters().begin(), kernel.parameters().end());
  for (Parameter& p : parameters) {
    if (p.role == Role::variance) p.fixed = p.given = true;
  }
  kernel = kernel.with_parameters(std::move(parameters));
  noise.fixed = true;
}

}  // namespace gpcv
