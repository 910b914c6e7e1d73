/// Arguments that fit, check, cv and compare share: the table and the training.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"
#include "trainer_options.hpp"

namespace gpcv::command {

/// Arguments as given on the command line.
struct FitArguments {
  std::string data, kernel = "auto", assess = "auto", noise, mean = "zero", transform = "none";
  std::vector<std::string> candidates;
  std::string folds, groups, blocks, fold_column, noise_column, weight_column;
  std::optional<std::string> time;
  std::optional<double> holdout;
  ReadOptions read;
  TrainerSettings trainer;
  std::uint64_t seed = 1;
  ComputeOptions compute;
  bool no_standardize = false, robust = false;
  const CLI::Option* threads = nullptr;

  bool threads_given() const { return threads != nullptr && threads->count() > 0; }

  /// Options of the training. Throws InputError for arguments that exclude each other.
  FitOptions options() const;
  /// Options of the reader: the columns that the training needs.
  ReadOptions reading(const FitOptions& options) const;
  /// Options of the diagnosis of the table.
  DiagnosisOptions diagnosis(const FitOptions& options) const;
  /// Throws InputError when the file to write is one of those that are read.
  void require_other_file(const std::string& output) const;
  /// Data of each target read from the table, with all columns that the options need.
  std::vector<Dataset> read_targets(const FitOptions& options) const;
  /// Data of the only target. Throws InputError for several; `command` is what takes one.
  Dataset read_data(const FitOptions& options, const std::string& command) const;
};

/// Adds DATA, --target and all options that define the training.
void add_fit_arguments(CLI::App& command, FitArguments& arguments, bool with_kernel = true);

/// Adds --verbose.
void add_verbose_option(CLI::App& command, bool& verbose);

}  // namespace gpcv::command
