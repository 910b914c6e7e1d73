/// Settings of a trainer as text, shared by the command and the Python package.
#pragma once

#include <optional>
#include <string>

#include "gpcv/export.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Settings of a trainer. A setting that is not given keeps the value of the preset.
struct GPCV_EXPORT TrainerSettings {
  std::string trainer = TrainOptions{}.trainer;                          ///< name of the trainer
  std::string preset = "default";                                        ///< "default" or "paper"
  std::optional<int> restarts, max_iterations;                           ///< numbers of starts and of iterations
  std::optional<double> prior;                                           ///< weight of the prior
  std::optional<std::string> start, derivatives, theta_step, inner;      ///< names of choices
  double time_limit = 0;                                                 ///< seconds; 0 for no limit
  std::optional<double> rho, rho_dual, lambda0, epsilon, rho_consensus;  ///< penalties and tolerances
  bool trace_gap = false, no_period_scan = false;                        ///< trace the gap, do not scan periods

  /// Whether the preset is that of the paper.
  bool paper() const { return preset == "paper"; }
  /// Applies the settings to the options. Throws InputError for a setting that the trainer does not have.
  void apply(TrainOptions& options) const;

 private:
  void require_understood() const;
};

}  // namespace gpcv
