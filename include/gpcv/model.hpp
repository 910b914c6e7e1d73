/// Trained Gaussian processes and their files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/export.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/noise_process.hpp"
#include "gpcv/predictive_scale.hpp"
#include "gpcv/provenance.hpp"
#include "gpcv/target_transform.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Calibration set of conformal intervals: scores |y − m|/std of rows that were reserved from training,
/// where y stands for the transformed target.
struct Conformal {
  Vector scores;       ///< scores, ascending
  std::string method;  ///< VarianceMethod::to_string() of the standard deviations
};

/// Mean function E y: zero, or a constant or linear function of the inputs whose coefficients are estimated.
enum class Mean { zero, constant, linear };
/// Name of a mean function, as in options.
GPCV_EXPORT std::string_view name_of(Mean mean);

/// Trained Gaussian process: the data of predictions, and the provenance of the model.
struct Model {
  Columns columns;          ///< columns of the training table; features and feature_indices have d entries
  Standardization scaling;  ///< standardisation of inputs and target
  Matrix x;          ///< n × d training inputs, standardised, with one more column where each row has its own noise
  Vector y;          ///< n training targets, standardised, times that column where each row has its own noise
  Vector weights;    ///< C⁻¹y
  Kernel kernel;     ///< trained kernel, bound to the columns of x
  double noise = 0;  ///< noise variance, standardised
  double noise_reference = 0;   ///< noise level in the target's units to which `noise` belongs; 0 for equal noise
  NoiseProcess noise_process;   ///< noise that was learned; constant without it
  Mean mean = Mean::zero;       ///< mean function, whose kernels are the last summands of `kernel`
  PredictiveScale error_scale;  ///< distribution of errors, from held-out rows; the identity without calibration
  Conformal conformal;          ///< calibration set of conformal intervals; empty unless rows were reserved
  TargetTransform transform;    ///< T; all of the above is of the target T(y)

  Provenance provenance;  ///< record of the training, which predictions do not need
};

/// Writes a model atomically: to a temporary file beside `path`, which is then renamed. An existing file survives any
/// failure.
GPCV_EXPORT void save(const Model& model, const std::filesystem::path& path);

/// Reads a model. Throws InputError for a file that is missing, truncated, corrupted, of a newer version or not a
/// model.
GPCV_EXPORT Model load_model(const std::filesystem::path& path);

}  // namespace gpcv
