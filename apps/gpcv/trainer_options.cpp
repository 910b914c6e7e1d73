#include "trainer_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>

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

/// Text yes or no, as a truth value of CLI11.
CLI::CheckedTransformer yes_or_no() {
  return CLI::CheckedTransformer(std::map<std::string, std::string>{{"yes", "true"}, {"no", "false"}});
}

/// Where training starts and when it ends, whichever trainer it is.
void add_search_options(CLI::App& command, TrainerSettings& a) {
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
          "auto: the smallest held-out error of a subset after the inputs were screened, refined by rows and their "
          "neighbours on large tables (default of gauss-newton); local: so refined at any size; subset: at the best "
          "likelihood of up to 1000 rows; values: at the given or default values (default of the others); median: at "
          "median distances")
      ->check(CLI::IsMember({"auto", "subset", "local", "values", "median"}));
  command
      .add_option("--time-limit", a.time_limit,
                  "End the whole fit after so many seconds with the model of the best values so far, and say what was "
                  "not verified")
      ->check(positive());
}

void add_cross_validation_options(CLI::App& command, TrainerSettings& a) {
  command
      .add_option("--prior", a.prior,
                  "Of cross-validation trainers: weight of the weak prior around the start values, equivalent to this "
                  "many held-out observations (default: 10; paper: 0)")
      ->check(finite_number(true));
  command
      .add_option("--epsilon", a.epsilon,
                  "Of cross-validation trainers: when to stop. gauss-newton: relative decrease still to gain (default: "
                  "0.0001, and 0.001 where parts of the rows were trained on first); ADMM: residual and relative "
                  "gradient (default: 0.001; paper: change of theta, 0.01)")
      ->check(positive());
  command
      .add_option("--derivatives", a.derivatives,
                  "Of gauss-newton: forward (all sensitivities), adjoint (gradient alone, L-BFGS) or auto (the cheaper "
                  "one)")
      ->check(CLI::IsMember({"auto", "forward", "adjoint"}));
  command
      .add_option("--criterion", a.criterion,
                  "Of gauss-newton: loss of the held-out rows. squared: squared error; crps: score of the whole "
                  "prediction, in which outliers count less; log: squared error in units of the predicted deviation")
      ->check(CLI::IsMember({"crps", "squared", "log"}));
}

const std::string admm_group = "Trainers admm, naive and consensus (numbers of equations are those of the paper)";

/// The preset, and what all updates have in common.
void add_preset_options(CLI::App& command, TrainerSettings& a) {
  command
      .add_option(
          "--preset", a.preset,
          "default; paper: Algorithm 1 with the values of the paper's text; authors: the constants of the authors' "
          "programs for the kernels se, lp, se + lp and se + se * periodic. Both leave the data in their own units "
          "and hold variances and noise")
      ->check(CLI::IsMember({"default", "paper", "authors"}))
      ->group(admm_group);
  command
      .add_option("--hold", a.hold, "none (default), variances, noise, or both (paper, authors): what is not trained")
      ->check(CLI::IsMember({"none", "variances", "noise", "both"}))
      ->group(admm_group);
  command
      .add_option(
          "--choose", a.choose,
          "Choose among starts by the verified validation error (default) or, as the paper does, by the training "
          "error")
      ->check(CLI::IsMember({"validation", "training"}))
      ->group(admm_group);
  command.add_option("--variables", a.variables, "Minimise over log-theta (default) or theta (paper)")
      ->check(CLI::IsMember({"log-theta", "theta"}))
      ->group(admm_group);
  command
      .add_option(
          "--stop", a.stop,
          "When to stop: at small residuals (default), at a small change of theta (paper: |dtheta| < epsilon), or "
          "none, after --max-iterations (authors)")
      ->check(CLI::IsMember({"residuals", "change", "none"}))
      ->group(admm_group);
}

/// The update of theta, equations (11a) and (12).
void add_theta_options(CLI::App& command, TrainerSettings& a) {
  command
      .add_option(
          "--theta-step", a.theta_step,
          "Update (11a) of theta: gauss-newton, which takes z along (default); with z fixed, coordinate (paper), "
          "gradient, or adam")
      ->check(CLI::IsMember({"coordinate", "gradient", "adam", "gauss-newton"}))
      ->group(admm_group);
  command
      .add_option("--step-rule", a.step_rule,
                  "Length of the steps of coordinate and gradient: armijo (default), line (minimum along the line), or "
                  "constant, one step (12) of --step-size")
      ->check(CLI::IsMember({"armijo", "line", "constant"}))
      ->group(admm_group);
  command.add_option("--step-size", a.step_size, "mu_1 of (12) (default: 0.0001), or the rate of adam (default: 0.01)")
      ->check(positive())
      ->group(admm_group);
  command
      .add_option("--theta-steps", a.theta_steps,
                  "Steps per update and coordinate at the most (default: constant 1, adam 25, otherwise as many as "
                  "--theta-tolerance needs, up to 100000; reported where they end an update)")
      ->check(whole_number(1))
      ->group(admm_group);
  command
      .add_option(
          "--theta-tolerance", a.theta_tolerance,
          "Derivative of the Lagrangian that ends an update; one value, or one per parameter separated by commas "
          "(default: 0.001)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(positive())
      ->group(admm_group);
  command
      .add_option("--armijo-start", a.armijo_start,
                  "First step length of Armijo's rule; one value, or one per parameter (default: 0.125)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(positive())
      ->group(admm_group);
  command
      .add_option("--armijo-shrink", a.armijo_shrink, "Factor of the step length after a rejected step (default: 0.5)")
      ->check(positive())
      ->group(admm_group);
  command
      .add_option("--armijo-slope", a.armijo_slope,
                  "Fraction of the decrease predicted by the gradient that a step must reach (default: 0.5)")
      ->check(positive())
      ->group(admm_group);
}

/// The updates of z and lambda, equations (11b) and (11c).
void add_dual_options(CLI::App& command, TrainerSettings& a) {
  command
      .add_option("--rho", a.rho,
                  "Penalty of the constraint C z = y (default: 10, balanced; 100 with --inner admm; paper: 5)")
      ->check(positive())
      ->group(admm_group);
  command.add_option("--rho-dual", a.rho_dual, "rho' of the update (11c) of lambda (default: rho)")
      ->check(positive())
      ->group(admm_group);
  command.add_option("--balance-rho", a.balance_rho, "yes: adapt rho to the residuals (default); no (paper)")
      ->transform(yes_or_no())
      ->option_text("yes|no")
      ->group(admm_group);
  command
      .add_option("--lambda0", a.lambda0,
                  "Every component of the first multipliers (default: stationary in z; paper: 1)")
      ->group(admm_group);
  command
      .add_option("--perturbation", a.perturbation,
                  "Standard deviation of the perturbation of theta that gives the first z (default: 0; paper: 0.1)")
      ->check(finite_number(true))
      ->group(admm_group);
  command
      .add_option("--z-tolerance", a.z_tolerance,
                  "Relative residual that ends the update (11b) of z, at the smallest (default: 1e-10)")
      ->check(positive())
      ->group(admm_group);
  command
      .add_option("--z-step-tolerance", a.z_step_tolerance,
                  "Change |dz| of a step (14) that ends the update of z instead (paper: 1e-5)")
      ->check(finite_number(true))
      ->group(admm_group);
  command
      .add_option("--z-iterations", a.z_iterations,
                  "Steps (14) per update of z at the most; 0: the number of training rows (paper; default: twice that)")
      ->check(whole_number(0))
      ->group(admm_group);
  command.add_option("--precondition", a.precondition, "yes: precondition the update of z (default); no (paper)")
      ->transform(yes_or_no())
      ->option_text("yes|no")
      ->group(admm_group);
  command
      .add_flag_callback(
          "--trace-gap", [&a] { a.trace_gap = true; },
          "Add |z - inv(C) y|^2 to the trace, at one more solve per iteration")
      ->group(admm_group);
}

void add_consensus_options(CLI::App& command, TrainerSettings& a) {
  command
      .add_option("--inner", a.inner, "Of consensus: each fold moves by gauss-newton (default) or one sweep of admm")
      ->check(CLI::IsMember({"admm", "gauss-newton"}))
      ->group(admm_group);
  command
      .add_option("--consensus-penalty", a.consensus_penalty,
                  "Of consensus (16): a matrix that follows the curvature (default), or a scalar (paper)")
      ->check(CLI::IsMember({"curvature", "scalar"}))
      ->group(admm_group);
  command
      .add_option("--rho-consensus", a.rho_consensus,
                  "Of consensus: penalty of disagreeing folds, a multiple of the curvature (default: 1) or the scalar "
                  "(paper: 5)")
      ->check(positive())
      ->group(admm_group);
}

}  // namespace

void add_trainer_options(CLI::App& command, TrainerSettings& a) {
  add_search_options(command, a);
  add_cross_validation_options(command, a);
  add_preset_options(command, a);
  add_theta_options(command, a);
  add_dual_options(command, a);
  add_consensus_options(command, a);
}

}  // namespace gpcv::command
