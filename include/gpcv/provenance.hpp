/// Provenance of a model: its training, its validation and the program that wrote it. Predictions do not need it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/importance.hpp"
#include "gpcv/noise_process.hpp"
#include "gpcv/trainer.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Cross-validated predictions of the training rows, in the target's units, one entry per training row. With a
/// transform T of the target they are predictions of T(y); held_out_prediction() gives those of y.
struct HeldOut {
  Vector mean;         ///< mean predicted by the fold that held the row out; NaN for rows that no fold validates
  Vector variance;     ///< variance of that prediction with noise and calibration; NaN where it was not computed
  std::string method;  ///< VarianceMethod::to_string() of the variances

  /// Whether there are no held-out predictions.
  bool empty() const { return mean.size() == 0; }
};

/// Kernel that took part in the choice of a kernel.
struct RankedKernel {
  std::string name;         ///< short name of the candidate
  std::string kernel;       ///< text of the kernel
  Index parameters = 0;     ///< number of its free parameters
  int rounds = 0;           ///< rounds that it took part in; losses of different rounds are not comparable
  double loss = 0;          ///< mean loss of the held-out rows in its last round; not finite if it failed
  double behind = 0;        ///< excess of its loss over that of the best of its round, relative to it unless `log`
  double behind_error = 0;  ///< standard error of `behind`
  bool chosen = false;      ///< the kernel of the model
};

/// Transform that took part in the choice of a transform.
struct RankedTransform {
  std::string transform;    ///< text of the transform
  int rounds = 0;           ///< rounds that it took part in; losses of different rounds are not comparable
  double loss = 0;          ///< mean CRPS of held-out rows in its last round, in the target's units
  double behind = 0;        ///< excess of its loss over that of the best of its round, relative to it
  double behind_error = 0;  ///< standard error of `behind`
  bool chosen = false;      ///< the transform of the model
};

/// Row that contradicts the model of a robust training, so that it has little weight.
struct DistrustedRow {
  Index row = 0;          ///< row of the training data, from 0
  Index table_row = 0;    ///< row of the table, from 0 and without the header
  std::string id;         ///< text of the column that identifies the rows; empty without one
  double deviations = 0;  ///< held-out error in standard deviations of a trusted row
  double weight = 1;      ///< weight of the row
};

/// Weights of the rows of a robust training. The noise variance of row i is σ²/w_i.   docs/math/robust.md
struct GPCV_EXPORT RowTrust {
  /// Weight below which a row is distrusted: its noise has more than twice the deviation of the others'.
  static constexpr double distrusted_below = 0.25;

  Vector weights = {};                                       ///< w_i in (0, 1]; empty unless the training was robust
  bool alone = false;                                        ///< the data had no other noise or weight of each row
  double share = 0;                                          ///< share of the rows whose noise is of Student's t
  double degrees = std::numeric_limits<double>::infinity();  ///< degrees of freedom of these rows
  std::vector<DistrustedRow> distrusted = {};                ///< rows of little weight, the worst first

  /// Whether a row of the training data has little weight; scores leave it out.
  bool distrusts(Index row) const { return weights.size() > 0 && weights(row) < distrusted_below; }
  /// The values, NaN for rows of little weight.
  Vector trusted(Vector values) const;
};

/// Record of a training.
struct Provenance {
  std::string trainer;                ///< name of the trainer
  Status status = Status::not_run;    ///< outcome of the training
  std::string message;                ///< outcome of the training in words
  double objective = 0;               ///< final objective of the trainer
  double cv_rmse = 0;                 ///< cross-validation error in the target's units, or NaN
  std::string assessment = "inner";   ///< "nested" if each fold of cv_rmse repeated the training, otherwise "inner"
  double inner_rmse = 0;              ///< error of the folds that training has minimised, in the target's units, or NaN
  double optimism = 0;                ///< estimate of the relative amount by which inner_rmse is too small
  std::vector<RankedKernel> kernels;  ///< choice of the kernel, best first; empty without one
  std::vector<RankedTransform> transforms = {};  ///< choice of the transform, best first; empty without one
  NoiseChoice noise_choice = {};                 ///< comparison of learned with constant noise
  std::string folds;                             ///< description of the folds of cv_rmse
  /// Number of the fold of cv_rmse that validates each training row, −1 for none; empty where a file does not tell.
  std::vector<Index> fold_of_row = {};
  int iterations = 0;                                         ///< number of iterations
  std::uint64_t seed = 0;                                     ///< seed of random numbers
  std::string version;                                        ///< version of the program that trained the model
  std::vector<std::pair<std::string, std::string>> settings;  ///< settings given to fit
  std::vector<std::string> trace_names;                       ///< columns of `trace`
  /// Trace of the training, one row per evaluation: restart, fold, iteration, objective, gradient_norm, seconds, θ…,
  /// measures… A model file omits the times, so that equal trainings write equal bytes.
  Matrix trace;
  HeldOut held_out;             ///< held-out predictions
  RowTrust trust = {};          ///< weights of the rows of a robust training
  Importance importance;        ///< importance of the inputs for the folds of cv_rmse
  std::vector<Optimum> optima;  ///< optima of all starts, best first
  /// Standard errors of log θ by name; NaN where the data do not determine the parameter.
  std::vector<std::pair<std::string, double>> standard_errors;
  std::string command;  ///< command line that trained the model; empty when the library was called

  /// Position of a column of `trace`; −1 when no column has this name.
  Index trace_column(std::string_view name) const {
    for (std::size_t i = 0; i < trace_names.size(); ++i) {
      if (trace_names[i] == name) return static_cast<Index>(i);
    }
    return -1;
  }
};

}  // namespace gpcv
