/// A trained Gaussian process and the one file that holds it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/trainer.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// What variances found by one estimator are multiplied by.
struct VarianceFactor {
  std::string method;  ///< VarianceMethod::to_string()
  double factor = 1;
};

/// Everything a prediction needs and everything a reader may ask of how it came to be.
struct Model {
  Columns columns;  ///< features and feature_indices have d entries
  Standardization scaling;
  Matrix x;        ///< n × d training inputs, standardised
  Vector y;        ///< n training targets, standardised
  Vector weights;  ///< C⁻¹y
  Kernel kernel;   ///< trained, bound
  double noise = 0;
  std::vector<VarianceFactor> variance_factors;  ///< calibrated on held-out rows; empty: variances stand as they are

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
};

/// Writes atomically: a temporary beside `path`, then a rename. An existing file survives any failure.
void save(const Model& model, const std::filesystem::path& path);

/// Throws InputError for a file that is missing, truncated, corrupted, of a newer version or not a model.
Model load_model(const std::filesystem::path& path);

}  // namespace gpcv
