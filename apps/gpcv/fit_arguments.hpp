/// What fit, cv and compare ask of a table and of a training.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"
#include "trainer_options.hpp"

namespace gpcv::command {

/// As said on the command line.
struct FitArguments {
  std::string data, kernel = "se(ard)", noise, mean = "zero";
  std::string folds, groups, blocks, fold_column, noise_column, weight_column;
  std::optional<std::string> time;
  std::optional<double> holdout;
  ReadOptions read;
  TrainerSettings trainer;
  std::uint64_t seed = 1;
  ComputeOptions compute;
  bool no_standardize = false;
  const CLI::Option* threads = nullptr;

  bool threads_given() const { return threads != nullptr && threads->count() > 0; }

  /// Throws InputError for what does not go together.
  FitOptions options() const;
  /// What the reader is asked for.
  ReadOptions reading(const FitOptions& options) const;
  DiagnosisOptions diagnosis(const FitOptions& options) const;
  /// The table with everything the options need of it.
  Dataset read_data(const FitOptions& options) const;
};

/// DATA, --target and everything that decides what is trained and how.
void add_fit_arguments(CLI::App& command, FitArguments& arguments, bool with_kernel = true);

}  // namespace gpcv::command
