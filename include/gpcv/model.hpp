/// A trained Gaussian process and the one file that holds it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/provenance.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Calibration of one variance estimator.
struct VarianceFactor {
  std::string method;  ///< VarianceMethod::to_string()
  double factor = 1;   ///< multiplies every variance that the method finds
};

/// Scores |y − m|/std of rows that were set aside from training and calibration, ascending.
struct Conformal {
  Vector scores;
  std::string method;  ///< VarianceMethod::to_string() of the standard deviations
};

/// Mean function E y that is estimated beside the kernel: zero, a constant, or a linear function of the inputs.
enum class Mean { zero, constant, linear };
std::string_view name_of(Mean mean);

/// A trained Gaussian process: everything a prediction needs, and how it came to be.
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

  Provenance provenance;  ///< how the model came to be; no prediction needs it
};

/// Writes atomically: a temporary beside `path`, then a rename. An existing file survives any failure.
void save(const Model& model, const std::filesystem::path& path);

/// Throws InputError for a file that is missing, truncated, corrupted, of a newer version or not a model.
Model load_model(const std::filesystem::path& path);

}  // namespace gpcv
