#include "trainer_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "command.hpp"
#include "gpcv/error.hpp"

namespace gpcv::command {
namespace {

/// Finite and above the bound, or equal to it when that is allowed.
CLI::Validator finite_number(bool zero_allowed) {
  return {[zero_allowed](const std::string& text) {
            double value = 0;
            const bool ok = CLI::detail::lexical_cast(text, value) && std::isfinite(value) &&
                            (value > 0 || (zero_allowed && value == 0));
            return ok ? std::string()
                      : fmt::format("'{}' is not a {} number", text, zero_allowed ? "non-negative" : "positive");
          },
          "NUMBER"};
}
CLI::Validator positive() { return finite_number(false); }

}  // namespace

void TrainerArguments::apply(TrainOptions& options) const {
  options.trainer = trainer;
  const bool sweeps = trainer == "admm" || trainer == "naive" || trainer == "consensus";
  auto refuse = [&](bool said, const char* name, const char* whose) {
    if (said) throw InputError(fmt::format("{} is an option of --trainer {}, not of {}", name, whose, trainer));
  };
  if (!sweeps) {
    constexpr const char* whose = "admm, naive or consensus";
    refuse(paper(), "--preset paper", whose);
    refuse(theta_step.has_value(), "--theta-step", whose);
    refuse(rho.has_value(), "--rho", whose);
    refuse(rho_dual.has_value(), "--rho-dual", whose);
    refuse(lambda0.has_value(), "--lambda0", whose);
  }
  if (trainer == "likelihood") {
    constexpr const char* whose = "gauss-newton, admm, naive or consensus";
    refuse(epsilon.has_value(), "--epsilon", whose);
    refuse(prior.has_value(), "--prior", whose);
  }
  if (trainer != "gauss-newton") refuse(derivatives.has_value(), "--derivatives", "gauss-newton");
  if (trainer != "admm" && trainer != "naive") refuse(trace_gap, "--trace-gap", "admm or naive");
  if (trainer != "consensus") {
    refuse(inner.has_value(), "--inner", "consensus");
    refuse(rho_consensus.has_value(), "--rho-consensus", "consensus");
  }

  if (paper()) use_paper_preset(options);
  if (restarts) options.restarts = *restarts;
  if (max_iterations) options.max_iterations = *max_iterations;
  if (prior) options.prior = *prior;
  if (theta_step) {
    options.admm.theta_step =
        named(*theta_step, {ThetaStep::coordinate, ThetaStep::gradient, ThetaStep::adam, ThetaStep::gauss_newton});
  }
  if (rho) options.admm.rho = *rho;
  if (rho_dual) options.admm.rho_dual = *rho_dual;
  if (lambda0) options.admm.lambda0 = *lambda0;
  if (epsilon) options.admm.epsilon = options.consensus.epsilon = options.gauss_newton.tolerance = *epsilon;
  if (start) options.start = named(*start, {Start::subset, Start::values, Start::median});
  if (derivatives) {
    options.gauss_newton.derivatives =
        named(*derivatives, {Derivatives::automatic, Derivatives::forward, Derivatives::adjoint});
  }
  options.time_limit = time_limit;
  if (inner) options.consensus.inner = *inner == "admm" ? InnerEngine::admm : InnerEngine::gauss_newton;
  if (rho_consensus) options.consensus.rho = *rho_consensus;
  options.admm.trace_gap = trace_gap;
  if (no_period_scan) options.scan_periods = false;
}

void add_trainer_options(CLI::App& command, TrainerArguments& a) {
  command.add_option("--trainer", a.trainer, "How to find the hyper-parameters")
      ->check(CLI::IsMember(trainer_names()))
      ->capture_default_str();
  command
      .add_option("--restarts", a.restarts,
                  "Starts in all; the first from the given or default values, those well behind given up early "
                  "(default: 3)")
      ->check(whole_number(1));
  command
      .add_option(
          "--max-iterations", a.max_iterations,
          "Per start at the most: steps of gauss-newton, evaluations of the likelihood, sweeps of admm, rounds of "
          "consensus "
          "(default: 200)")
      ->check(whole_number(1));

  command.add_flag("--no-period-scan", a.no_period_scan,
                   "Start from the given or default periods instead of looking for better ones first");

  command
      .add_option(
          "--start", a.start,
          "subset: at the best likelihood of up to 1000 rows (default of gauss-newton); values: at the given or "
          "default values (default of the others); median: at median distances")
      ->check(CLI::IsMember({"subset", "values", "median"}));
  command
      .add_option("--time-limit", a.time_limit,
                  "Stop training after so many seconds and keep the best so far; validating and conditioning it come "
                  "on top")
      ->check(positive());
  command
      .add_option("--prior", a.prior,
                  "Of cross-validation trainers: weight W of the weak prior around the start values, as if so many "
                  "held-out rows spoke for them (default: 10; paper: 0)")
      ->check(finite_number(true));
  command
      .add_option("--epsilon", a.epsilon,
                  "Of cross-validation trainers: when to stop. gauss-newton: relative decrease still to gain (default: "
                  "0.0001); ADMM: residual and relative gradient (default: 0.001; paper: change of theta, 0.01)")
      ->check(positive());
  command
      .add_option("--derivatives", a.derivatives,
                  "Of gauss-newton: forward (all sensitivities), adjoint (gradient alone, L-BFGS) or auto (the cheaper "
                  "one)")
      ->check(CLI::IsMember({"auto", "forward", "adjoint"}));

  const std::string group = "Trainers admm, naive and consensus";
  command
      .add_option("--preset", a.preset,
                  "default, or paper: the published algorithm and values, variances and noise held")
      ->check(CLI::IsMember({"default", "paper"}))
      ->capture_default_str()
      ->group(group);
  command.add_option("--theta-step", a.theta_step, "coordinate, gradient, adam or gauss-newton (default)")
      ->check(CLI::IsMember({"coordinate", "gradient", "adam", "gauss-newton"}))
      ->group(group);
  command.add_option("--rho", a.rho, "Penalty of the constraint C z = y (default: 10, balanced; paper: 5)")
      ->check(positive())
      ->group(group);
  command.add_option("--rho-dual", a.rho_dual, "Step of the dual update (default: rho)")
      ->check(positive())
      ->group(group);
  command
      .add_option("--lambda0", a.lambda0,
                  "Every component of the first multipliers (default: stationary in z; paper: 1)")
      ->group(group);
  command.add_flag("--trace-gap", a.trace_gap, "Add |z - inv(C) y|^2 to the trace, at one more solve per iteration")
      ->group(group);
  command
      .add_option("--inner", a.inner, "Of consensus: each fold moves by gauss-newton (default) or one sweep of admm")
      ->check(CLI::IsMember({"admm", "gauss-newton"}))
      ->group(group);
  command.add_option("--rho-consensus", a.rho_consensus, "Of consensus: penalty of disagreeing folds (default: 1)")
      ->check(positive())
      ->group(group);
}

}  // namespace gpcv::command
