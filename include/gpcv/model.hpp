/// A trained Gaussian process and the one file that holds it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/export.hpp"
#include "gpcv/trainer.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// What variances found by one estimator are multiplied by.
struct VarianceFactor {
  std::string method;  ///< VarianceMethod::to_string()
  double factor = 1;
};

/// What cross-validation says of rows that were not trained on, in the target's units, one entry per training row.
struct HeldOut {
  Vector mean;         ///< by the fold that held the row out; NaN for rows no fold validates
  Vector variance;     ///< of that prediction, noise and calibration included; NaN where it was not computed
  std::string method;  ///< VarianceMethod::to_string() of the variances

  bool empty() const { return mean.size() == 0; }
};

/// Scores |y − m|/std of rows that were set aside from training and calibration, ascending.
struct Conformal {
  Vector scores;
  std::string method;  ///< VarianceMethod::to_string() of the standard deviations
};

/// E y: nothing, one number, or a linear function of the inputs, beside what the kernel explains.
enum class Mean { zero, constant, linear };
GPCV_EXPORT std::string_view name_of(Mean mean);

/// Everything a prediction needs and everything a reader may ask of how it came to be.
struct Model {
  Columns columns;  ///< features and feature_indices have d entries
  Standardization scaling;
  Matrix x;        ///< n × d training inputs, standardised; where rows have their own noise, one more column
  Vector y;        ///< n training targets, standardised; where rows have their own noise, times that column
  Vector weights;  ///< C⁻¹y
  Kernel kernel;   ///< trained, bound
  double noise = 0;
  double noise_reference = 0;  ///< standard deviation, in the target's units, that `noise` is of; 0: rows are all alike
  Mean mean = Mean::zero;      ///< its kernels are the last summands of `kernel`
  std::vector<VarianceFactor> variance_factors;  ///< calibrated on held-out rows; empty: variances stand as they are
  double added_noise = 0;  ///< standardised variance of held-out errors beyond what `noise` explains
  Conformal conformal;     ///< empty unless rows were set aside

  // How it came to be; nothing below is needed to predict.
  std::string trainer;
  Status status = Status::not_run;
  std::string message;
  double objective = 0;
  double cv_rmse = 0;  ///< target's units; NaN when not computed
  std::string folds;   ///< description of the folds behind cv_rmse
  int iterations = 0;
  std::uint64_t seed = 0;
  std::string version;                                        ///< of the program that wrote it
  std::vector<std::pair<std::string, std::string>> settings;  ///< as given to fit
  std::vector<std::string> trace_names;                       ///< columns of `trace`
  Matrix trace;  ///< one row per evaluation: restart, iteration, objective, gradient_norm, seconds, θ…
  HeldOut held_out;
  std::vector<Optimum> optima;                                  ///< best first
  std::vector<std::pair<std::string, double>> standard_errors;  ///< of log θ; NaN where the data say nothing
  std::string command;                                          ///< that made it; empty when it was not the command
};

/// Writes atomically: a temporary beside `path`, then a rename. An existing file survives any failure.
GPCV_EXPORT void save(const Model& model, const std::filesystem::path& path);

/// Throws InputError for a file that is missing, truncated, corrupted, of a newer version or not a model.
GPCV_EXPORT Model load_model(const std::filesystem::path& path);

}  // namespace gpcv
