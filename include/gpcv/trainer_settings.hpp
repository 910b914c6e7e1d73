/// Settings of a trainer as text, shared by the command and the Python package.
#pragma once

#include <optional>
#include <string>

#include "gpcv/export.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Settings of a trainer. A setting that is not given keeps the value of the preset.
struct GPCV_EXPORT TrainerSettings {
  std::string trainer = TrainOptions{}.trainer;  ///< name of the trainer
  std::string preset = "default";                ///< "default" or "paper"
  std::optional<int> restarts;                   ///< number of starts
  std::optional<int> max_iterations;             ///< largest number of iterations per start
  std::optional<double> prior;                   ///< weight of the prior
  std::optional<std::string> start;              ///< name of the start
  std::optional<std::string> derivatives;        ///< name of the derivatives of gauss-newton
  std::optional<std::string> theta_step;         ///< name of the θ-step of ADMM
  std::optional<std::string> inner;              ///< name of the inner engine of consensus
  double time_limit = 0;                         ///< seconds after which training stops; 0 for no limit
  std::optional<double> rho;                     ///< penalty of the constraint of ADMM
  std::optional<double> rho_dual;                ///< step length of the dual update of ADMM
  std::optional<double> lambda0;                 ///< components of the first multipliers of ADMM
  std::optional<double> epsilon;                 ///< tolerance of the trainer
  std::optional<double> rho_consensus;           ///< penalty of consensus
  bool trace_gap = false;                        ///< records the gap of ADMM
  bool no_period_scan = false;                   ///< does not search for periods before the start

  /// Whether the preset is that of the paper.
  bool paper() const { return preset == "paper"; }
  /// Applies the settings to the options. Throws InputError for a setting that the trainer does not have.
  void apply(TrainOptions& options) const;

 private:
  void require_understood() const;
};

}  // namespace gpcv
