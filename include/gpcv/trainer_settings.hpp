/// Settings of a trainer as text, shared by the command and the Python package.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {

/// Settings of a trainer. A setting that is not given keeps the value of the preset.
struct GPCV_EXPORT TrainerSettings {
  std::string trainer = TrainOptions{}.trainer;  ///< name of the trainer
  std::optional<int> restarts;                   ///< number of starts
  std::optional<int> max_iterations;             ///< largest number of iterations per start
  std::optional<std::string> start;              ///< name of the start
  double time_limit = 0;                         ///< seconds after which the fit ends; 0 for no limit
  bool no_period_scan = false;                   ///< does not search for periods before the start

  std::optional<double> prior;             ///< weight of the prior
  std::optional<double> epsilon;           ///< tolerance of the trainer
  std::optional<std::string> derivatives;  ///< name of the derivatives of gauss-newton
  std::optional<std::string> criterion;    ///< name of the criterion of gauss-newton

  std::optional<std::string> preset;                   ///< "default", "paper" or "authors"
  std::optional<std::string> hold;                     ///< "none", "variances", "noise" or "both"
  std::optional<std::string> choose;                   ///< name of the error by which a start is chosen
  std::optional<std::string> theta_step;               ///< name of the θ-step
  std::optional<std::string> step_rule;                ///< name of the step rule
  std::optional<double> step_size;                     ///< μ₁, or the rate of Adam
  std::optional<int> theta_steps;                      ///< most steps of a θ-step
  std::optional<std::vector<double>> theta_tolerance;  ///< derivatives that end a θ-step
  std::optional<std::vector<double>> armijo_start;     ///< first step lengths of Armijo's rule
  std::optional<double> armijo_shrink;                 ///< factor after a rejected step
  std::optional<double> armijo_slope;                  ///< required fraction of the predicted decrease
  std::optional<std::string> variables;                ///< "theta" or "log-theta"
  std::optional<std::string> stop;                     ///< name of the stopping rule
  std::optional<double> rho;                           ///< penalty of the constraint
  std::optional<double> rho_dual;                      ///< step length of the dual update
  std::optional<bool> balance_rho;                     ///< adapts ρ
  std::optional<double> lambda0;                       ///< components of the first multipliers
  std::optional<double> perturbation;                  ///< standard deviation of the perturbation of z⁰
  std::optional<double> z_tolerance;                   ///< relative residual of the z-step
  std::optional<double> z_step_tolerance;              ///< change ‖Δz‖ that ends the z-step
  std::optional<int> z_iterations;                     ///< most steps of the z-step
  std::optional<bool> precondition;                    ///< preconditions the z-step
  std::optional<bool> trace_gap;                       ///< records the gap
  std::optional<std::string> inner;                    ///< name of the inner engine of consensus
  std::optional<std::string> consensus_penalty;        ///< name of the penalty of consensus
  std::optional<double> rho_consensus;                 ///< penalty of consensus

  /// Calls visit(name, field) for each setting that only some trainers have.
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("prior", self.prior);
    visit("epsilon", self.epsilon);
    visit("derivatives", self.derivatives);
    visit("criterion", self.criterion);
    visit_admm_fields(self, visit);
  }
  /// Calls visit(name, field) for each setting of the trainers admm, naive and consensus alone.
  template <class Self, class Visitor>
  static void visit_admm_fields(Self& self, Visitor&& visit) {
    visit("preset", self.preset);
    visit("hold", self.hold);
    visit("choose", self.choose);
    visit("theta_step", self.theta_step);
    visit("step_rule", self.step_rule);
    visit("step_size", self.step_size);
    visit("theta_steps", self.theta_steps);
    visit("theta_tolerance", self.theta_tolerance);
    visit("armijo_start", self.armijo_start);
    visit("armijo_shrink", self.armijo_shrink);
    visit("armijo_slope", self.armijo_slope);
    visit("variables", self.variables);
    visit("stop", self.stop);
    visit("rho", self.rho);
    visit("rho_dual", self.rho_dual);
    visit("balance_rho", self.balance_rho);
    visit("lambda0", self.lambda0);
    visit("perturbation", self.perturbation);
    visit("z_tolerance", self.z_tolerance);
    visit("z_step_tolerance", self.z_step_tolerance);
    visit("z_iterations", self.z_iterations);
    visit("precondition", self.precondition);
    visit("trace_gap", self.trace_gap);
    visit("inner", self.inner);
    visit("consensus_penalty", self.consensus_penalty);
    visit("rho_consensus", self.rho_consensus);
  }

  /// Applies the settings to the options. A preset also sets start values that are not given, holds variances and
  /// noise, and leaves the data in their own units. Throws InputError for a setting that the trainer does not have.
  void apply(FitOptions& options) const;

 private:
  void require_understood() const;
};

/// Names of the settings of the trainers admm, naive and consensus alone.
GPCV_EXPORT std::vector<std::string> admm_setting_names();

}  // namespace gpcv
