/// The options of the trainers, and the preset they start from.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "gpcv/error.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv::command {

/// What was said on the command line; anything not said keeps the preset's value.
struct TrainerArguments {
  std::string trainer = TrainOptions{}.trainer;
  std::string preset = "default";
  std::optional<int> restarts, max_iterations;
  std::optional<double> prior;
  std::optional<std::string> start, derivatives, theta_step, inner;
  double time_limit = 0;
  std::optional<double> rho, rho_dual, lambda0, epsilon, rho_consensus;
  bool trace_gap = false, no_period_scan = false;

  bool paper() const { return preset == "paper"; }
  /// Throws InputError for an option that the trainer does not have.
  void apply(TrainOptions& options) const;
};

/// The choice of this name; CLI11 has refused others.
template <class Choice>
Choice named(const std::string& name, std::initializer_list<Choice> choices) {
  for (const Choice choice : choices) {
    if (name == name_of(choice)) return choice;
  }
  throw InputError("unknown choice '" + name + "'");
}

void add_trainer_options(CLI::App& command, TrainerArguments& arguments);

}  // namespace gpcv::command
