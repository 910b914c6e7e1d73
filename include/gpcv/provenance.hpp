/// How a model came to be: its training, its validation and the program that wrote it. No prediction needs any of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/trainer.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Cross-validated predictions of the training rows, in the target's units, one entry per training row.
struct HeldOut {
  Vector mean;         ///< predicted by the fold that held the row out; NaN for rows no fold validates
  Vector variance;     ///< of that prediction, noise and calibration included; NaN where it was not computed
  std::string method;  ///< VarianceMethod::to_string() of the variances

  bool empty() const { return mean.size() == 0; }
};

/// The record of a training.
struct Provenance {
  std::string trainer;
  Status status = Status::not_run;
  std::string message;   ///< how training ended, in words
  double objective = 0;  ///< the trainer's own
  double cv_rmse = 0;    ///< cross-validated error in the target's units; NaN when it was not computed
  std::string folds;     ///< description of the folds behind cv_rmse
  int iterations = 0;
  std::uint64_t seed = 0;
  std::string version;                                        ///< of the program that trained the model
  std::vector<std::pair<std::string, std::string>> settings;  ///< as given to fit
  std::vector<std::string> trace_names;                       ///< columns of `trace`
  /// One row per evaluation: restart, fold, iteration, objective, gradient_norm, seconds, θ…, measures…
  /// A model's file leaves the times out, so that equal trainings write equal bytes.
  Matrix trace;
  HeldOut held_out;
  std::vector<Optimum> optima;                                  ///< best first
  std::vector<std::pair<std::string, double>> standard_errors;  ///< of log θ; NaN where the data do not determine it
  std::string command;  ///< command line that made the model; empty when the library was called

  /// Position of a column of `trace`; −1 when there is none of that name.
  Index trace_column(std::string_view name) const {
    for (std::size_t i = 0; i < trace_names.size(); ++i) {
      if (trace_names[i] == name) return static_cast<Index>(i);
    }
    return -1;
  }
};

}  // namespace gpcv
