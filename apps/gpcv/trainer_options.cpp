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
          "subset: at the best likelihood of up to 1000 rows (default of gauss-newton); values: at the given or "
          "default values (default of the others); median: at median distances")
      ->check(CLI::IsMember({"subset", "values", "median"}));
  command
      .add_option("--time-limit", a.time_limit,
                  "Stop training after so many seconds and keep the best so far; validating and conditioning it come "
                  "on top")
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
}

void add_admm_options(CLI::App& command, TrainerSettings& a) {
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

}  // namespace

void add_trainer_options(CLI::App& command, TrainerSettings& a) {
  add_search_options(command, a);
  add_cross_validation_options(command, a);
  add_admm_options(command, a);
}

}  // namespace gpcv::command
