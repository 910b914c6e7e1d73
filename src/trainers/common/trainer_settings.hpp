/// What a user says of a trainer, in words; the command and the Python package understand the same ones.
#pragma once

#include <optional>
#include <string>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Anything not said keeps the preset's value.
struct TrainerSettings {
  std::string trainer = TrainOptions{}.trainer;
  std::string preset = "default";
  std::optional<int> restarts, max_iterations;
  std::optional<double> prior;
  std::optional<std::string> start, derivatives, theta_step, inner;
  double time_limit = 0;
  std::optional<double> rho, rho_dual, lambda0, epsilon, rho_consensus;
  bool trace_gap = false, no_period_scan = false;

  bool paper() const { return preset == "paper"; }
  /// Throws InputError for a setting that the trainer does not have.
  void apply(TrainOptions& options) const;

 private:
  void require_understood() const;
};

}  // namespace gpcv
