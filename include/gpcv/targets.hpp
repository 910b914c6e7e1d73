/// Several targets of one table: their data sets, their training and the file that holds their models.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/error.hpp"
#include "gpcv/export.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/model.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Reads a table with several targets: one data set per target, in the order in which they are named. A target is a
/// name, an index, a pattern in which * stands for any text, or a list of these between commas; the inputs are the
/// columns that are no target, unless the options name them. ReadOptions::target is ignored. With Missing::drop a row
/// whose cell is missing in one target is left out for that target alone, and a row with a missing input for all of
/// them.
GPCV_EXPORT std::vector<Dataset> read_targets(const std::filesystem::path& path, const ReadOptions& options,
                                              const std::vector<std::string>& targets);

/// Reads the inputs and the targets of several models with the same inputs, as read_dataset_like() those of one.
GPCV_EXPORT std::vector<Dataset> read_targets_like(const std::filesystem::path& path,
                                                   const std::vector<Columns>& trained, const LikeOptions& options);

/// One data set per column of y, with its name. A row is left out for the targets for which it is NaN.
GPCV_EXPORT std::vector<Dataset> split_targets(const Dataset& inputs, ConstView y,
                                               const std::vector<std::string>& names);

/// Options of fit_targets().
struct TargetsOptions {
  FitOptions fit;             ///< options of each target's training
  bool share_kernel = false;  ///< whether all targets have the same length scales and ratio of noise to signal
  /// Earlier model of each target, from which its training starts, with the kernel of that model where one would be
  /// chosen; empty for none.
  std::vector<std::shared_ptr<const Model>> warm = {};
  /// Called after target i was trained.
  std::function<void(Index, const FitResult&)> done = {};
  /// Called when target i cannot be trained, which leaves it out of the results; without it the error is thrown.
  std::function<void(Index, const NumericalError&)> failed = {};
};

/// Trains a model for each target. The targets share their folds: a row that several of them have is in the same fold
/// for all. begin(i) is called before target i is trained. A checkpoint has a file for each target, path_of_target().
/// When a training is stopped, the targets after it are left out of the results.
GPCV_EXPORT std::vector<FitResult> fit_targets(const std::vector<Dataset>& targets, const TargetsOptions& options,
                                               const std::function<void(Index)>& begin = {},
                                               const Observer& observer = {}, const Announce& announce = {});

/// Positions of the targets that a text names: one name, a list between commas, or a pattern in which * stands for any
/// text. Throws an InputError that suggests the nearest name.
GPCV_EXPORT std::vector<std::size_t> find_targets(const std::vector<std::string>& names, const std::string& wanted);

/// File of one of several targets: "page.b.html" for the file "page.html" and target 1 of "a", "b", "c". Characters
/// that a file name cannot contain are replaced; names that are then equal are numbered.
GPCV_EXPORT std::filesystem::path path_of_target(const std::filesystem::path& path,
                                                 const std::vector<std::string>& names, std::size_t target);

/// Writes the models of several targets, which have the same input columns, as one file, atomically. A single model is
/// written as by save(model, path).
GPCV_EXPORT void save(const std::vector<Model>& models, const std::filesystem::path& path);

/// Reads the models of a file with one target or several, in the order in which they were saved. Throws InputError as
/// load_model() does, which reads files with one target only.
GPCV_EXPORT std::vector<Model> load_models(const std::filesystem::path& path);

}  // namespace gpcv
