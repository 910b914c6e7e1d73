/// Fit: from a table to a trained, validated and calibrated model.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/export.hpp"
#include "gpcv/folds.hpp"
#include "gpcv/model.hpp"
#include "gpcv/target_transform.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Options of the folds of cross-validation.
struct GPCV_EXPORT FoldOptions {
  /// Kind of the folds.
  enum class Kind {
    random,
    interleaved,
    holdout,
    groups,
    column,
    blocks,
    regions,
    time,
    given
  } kind = Kind::random;    ///< kind of the folds
  Index count = 5;          ///< number of folds
  double fraction = 0.2;    ///< fraction of the rows that a hold-out split validates
  std::string column = {};  ///< column of groups, folds, blocks or times; empty for blocks in the table's order
  Index blocks = 5;         ///< number of blocks in forward chaining, each predicted from all rows before it
  /// Width of a block in forward chaining, in the column's units; blocks have equal numbers of rows when it is not
  /// given.
  std::optional<double> width = std::nullopt;
  /// Folds of Kind::given. With another kind, make() gives these folds to data with their number of rows and makes
  /// folds of the kind for other data, such as the training rows of an outer fold.
  std::shared_ptr<const Folds> folds = {};

  /// Options from the text "5" or "5:interleaved".
  static FoldOptions parse(const std::string& text);
  /// Options from the text "COLUMN[:K]": all rows of a group are in one fold.
  static FoldOptions parse_groups(const std::string& text);
  /// Options from the text "K" for blocks in the table's order, "K:COLUMN" in the order of a column, "K:kmeans" for
  /// clusters of the inputs.
  static FoldOptions parse_blocks(const std::string& text);
  /// Options from the text "COLUMN[:BLOCKS[:WIDTH]]": "date", "date:8", "date:8:0.5". The name of the column may
  /// contain colons, since at most two numbers are split off at the end. A column whose name ends in a colon and a
  /// number is given by its index.
  static FoldOptions parse_time(const std::string& text);

  /// Adds the columns that make() needs to the options of the reader.
  void ask(ReadOptions& read) const;
  /// Throws InputError unless the data have the values that make() needs.
  void require(const Dataset& data) const;
  /// Folds of the data's rows.
  Folds make(const Dataset& data, std::uint64_t seed) const;
};

/// Assessment of the error, the coverage and the calibration that a model reports. The folds that choose θ, the `inner`
/// ones, are optimistic; `nested` repeats the whole training in every outer fold and predicts the rows that it has not
/// seen; `automatic` means nested where that is quick.
enum class Assess { automatic, nested, inner };
/// Name of an assessment, as in options.
GPCV_EXPORT std::string_view name_of(Assess assess);

/// Names of the kernels among which FitOptions::choose_kernel chooses, the most common first.
GPCV_EXPORT std::vector<std::string> candidate_names();

/// Options of fit(): the model and its training.
struct GPCV_EXPORT FitOptions {
  Kernel kernel = Kernel::parse("se(ard)");  ///< covariance function, unless it is chosen
  bool choose_kernel = false;                ///< chooses the kernel by cross-validation; for trainer gauss-newton
  std::vector<std::string> candidates = {};  ///< names of the kernels to choose from; empty for all
  Assess assess = Assess::inner;             ///< assessment of the error
  Noise noise;                               ///< observation noise
  bool standardize = true;                   ///< whether inputs and target are standardised
  Mean mean = Mean::zero;                    ///< mean function of the standardised target
  TransformOptions transform;                ///< transform of the target, before it is standardised
  bool robust = false;                       ///< gives rows that contradict the model little weight
  double calibration = 0;                    ///< fraction of the rows reserved for conformal intervals
  std::optional<FoldOptions> folds;          ///< folds; by default 5 random ones, fewer when there are fewer rows
  TrainOptions train;                        ///< options of the trainer
  std::string preset;                        ///< what a preset has set, in words; empty without one
  std::filesystem::path checkpoint;          ///< file to which each accepted step is saved; empty for none
  bool every_held_out_variance = false;      ///< computes HeldOut::variance of all validated rows, not of a sample
  bool importance = true;                    ///< computes the importance of the inputs
  bool resume = false;                       ///< continues from the checkpoint if it exists
  std::shared_ptr<const Model> warm;         ///< earlier model of the same kernel that provides the start values
  std::function<bool()> abandon = {};        ///< called after training was stopped; true throws Interrupted
  std::function<void(const std::string&)> progress = {};  ///< called with what is done before and after training
  /// Called before work begins with the estimated seconds of the whole fit, where they can be estimated.
  std::function<void(double)> expected = {};
  /// Called once a stop would leave a model, and whenever the time changes, with the estimated seconds from a stop to
  /// the result; any thread may call it.
  std::function<void(double)> stoppable = {};
  /// Whether the noise is learned as a function of the inputs; for trainer gauss-newton.
  NoiseModel noise_model = NoiseModel::constant;

  /// What the command and the Python package do where nothing else is asked for: the kernel is chosen, the error nested
  /// where that is quick.
  static FitOptions automatic();
  /// Sets the kernel of the text; "auto" chooses it where the trainer can, and means se(ard) where it cannot.
  void use_kernel(const std::string& text);
  /// Sets the noise of the text: "learned", "auto", "0.1" or "0.1:fixed".
  void use_noise(const std::string& text);
  /// Sets the kernel to that of an earlier model, which is then not chosen again.
  void keep_kernel_of(const Model& model);
};

/// Result of fit(): the model, and details of the training that a model does not keep.
struct GPCV_EXPORT FitResult {
  Model model;                                          ///< trained model
  TrainResult training;                                 ///< result of the trainer
  Folds folds;                                          ///< folds of the training rows
  std::vector<Finding> findings;                        ///< what a user should know about the result
  Solver solver = Solver::cholesky;                     ///< solver that the plan chose
  std::string backend;                                  ///< backend that the plan chose
  std::size_t planned_memory = 0;                       ///< planned memory in bytes
  std::string preset;                                   ///< what a preset has set, in words; empty without one
  std::vector<std::pair<std::string, double>> seconds;  ///< time of each phase
  /// What a stop or the time limit has left out: "validation", "importance of the inputs", "calibration",
  /// "conditioning to the final residual", "conformal intervals", "outer folds", "report".
  std::vector<std::string> left_out;
  /// ‖y − C w‖ / ‖y‖ of the model's weights w, verified in double precision or bounded; 0 where factorised.
  double weights_residual = 0;

  /// Says in left_out, in the model's message and in its status that a stop, or the time limit, has left something
  /// out.   reason: Status::stopped or Status::time_limit
  void leave_out(const std::string& what, Status reason = Status::stopped);
};

/// Function that receives the problem and the memory plan in words; it is called once before training.
using Announce = std::function<void(const Problem&, const std::string& memory_plan)>;

/// Throws InputError when the trainer cannot write checkpoints, or when a training is resumed without a checkpoint
/// file.
GPCV_EXPORT void require_checkpoint(const FitOptions& options);

/// Standardises the data, trains, cross-validates and calibrates the result and conditions it on all rows.
GPCV_EXPORT FitResult fit(const Dataset& data, const FitOptions& options, const Observer& observer = {},
                          const Announce& announce = {});

}  // namespace gpcv
