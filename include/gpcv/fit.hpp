/// The whole way from a table to a model.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/export.hpp"
#include "gpcv/folds.hpp"
#include "gpcv/model.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// How rows are divided into folds of cross-validation.
struct GPCV_EXPORT FoldOptions {
  enum class Kind { random, interleaved, holdout, groups, column, blocks, regions, time, given } kind = Kind::random;
  Index count = 5;
  double fraction = 0.2;    ///< hold-out only
  std::string column = {};  ///< that groups, folds, blocks or time are read from; blocks: empty for the table's order
  // Forward-chaining in time only:
  Index blocks = 5;                            ///< each predicted from everything before it
  std::optional<double> width = std::nullopt;  ///< of a block, in the column's units; none: equal counts of rows
  std::shared_ptr<const Folds> folds = {};     ///< given row by row

  /// "5", "5:interleaved".
  static FoldOptions parse(const std::string& text);
  /// "COLUMN[:K]": no group is ever parted.
  static FoldOptions parse_groups(const std::string& text);
  /// "K" in the table's order, "K:COLUMN" in that of a column, "K:kmeans" in regions of the inputs.
  static FoldOptions parse_blocks(const std::string& text);
  /// "COLUMN[:BLOCKS[:WIDTH]]", as "date", "date:8", "date:8:0.5". A column's name may hold colons: at most two numbers
  /// are split off at the end. One whose name itself ends in a colon and a number is given by its index.
  static FoldOptions parse_time(const std::string& text);

  /// Has the reader read what make() needs.
  void ask(ReadOptions& read) const;
  /// Throws InputError unless the data have the values that make() needs.
  void require(const Dataset& data) const;
  /// Folds of the data's rows.
  Folds make(const Dataset& data, std::uint64_t seed) const;
};

/// What is trained, and how.
struct FitOptions {
  Kernel kernel = Kernel::parse("se(ard)");
  Noise noise;
  bool standardize = true;
  Mean mean = Mean::zero;            ///< of the standardised target
  double calibration = 0;            ///< fraction of the rows set aside from training for conformal intervals
  std::optional<FoldOptions> folds;  ///< default: 5 at random, fewer when there are fewer rows
  TrainOptions train;
  std::filesystem::path checkpoint;      ///< each accepted step is saved here
  bool every_held_out_variance = false;  ///< HeldOut::variance of every validated row, not of a sample where n is large
  bool resume = false;                   ///< goes on from the checkpoint when there is one
  std::shared_ptr<const Model> warm;     ///< an earlier model of the same kernel whose values are the start
  std::function<bool()> abandon = {};    ///< asked when training was stopped; true throws Interrupted, nothing is kept
};

/// The model, and what of its training a model does not keep.
struct FitResult {
  Model model;
  TrainResult training;
  Folds folds;                                          ///< of the rows trained on
  Solver solver = Solver::cholesky;                     ///< that the memory plan chose
  std::size_t planned_memory = 0;                       ///< bytes
  std::vector<std::pair<std::string, double>> seconds;  ///< by phase
};

/// What is about to be trained and the memory plan in words; called once before work starts.
using Announce = std::function<void(const Problem&, const std::string& memory_plan)>;

/// Throws InputError for a checkpoint that the trainer cannot write, or that is to be resumed but not named.
GPCV_EXPORT void require_checkpoint(const FitOptions& options);

/// Standardises, trains, cross-validates the result and conditions it on all rows.
GPCV_EXPORT FitResult fit(const Dataset& data, const FitOptions& options, const Observer& observer = {},
                          const Announce& announce = {});

}  // namespace gpcv
