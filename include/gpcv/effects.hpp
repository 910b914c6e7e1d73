/// Effects of the inputs and contributions of the summands of the kernel.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// Input of the user's table: a column of numbers, or a category with one indicator per level.
struct Input {
  std::string name;                 ///< name of the column
  std::vector<Index> columns;       ///< columns of the model's inputs
  std::vector<std::string> levels;  ///< levels of a category, one per column; empty for numbers
  double range = 0;                 ///< range of the training values, in the user's units
};
/// Inputs of a model.
GPCV_EXPORT std::vector<Input> inputs_of(const Model& model);

/// Training inputs in the user's units.
GPCV_EXPORT Matrix training_inputs(const Model& model);

/// Relevance of an input.
struct Relevance {
  std::size_t input = 0;  ///< position in inputs_of()
  /// Permutation importance: root mean square change of the predictions of training rows when the values of the input
  /// are permuted, in the target's units; of their medians with a transform of the target.
  double moved = 0;
  double inverse_length = 0;  ///< standard deviation of the input over its length scale, the shortest one of a
                              ///< category's levels; NaN when it has none
};
/// Relevance of all inputs, most relevant first, measured on at most `most_rows` training rows.
GPCV_EXPORT std::vector<Relevance> relevance(const Model& model, const Posterior& posterior,
                                             Index most_rows = std::numeric_limits<Index>::max());

/// Effect of an input: the prediction along it, with the other inputs at the median of the training rows.
struct Effect {
  std::size_t input = 0;  ///< position in inputs_of()
  Vector at;              ///< values of the input, in its units; 0, 1, … for the levels of a category
  Prediction function;    ///< prediction of the function, without noise
  Prediction rows;        ///< prediction of observations, with noise
};
/// Effects of the inputs at these positions of inputs_of().
GPCV_EXPORT std::vector<Effect> effects(const Model& model, const Posterior& posterior,
                                        const std::vector<std::size_t>& inputs);

/// Noise along an input on which it depends, with the other inputs at the median of the training rows.
struct NoiseEffect {
  std::size_t input = 0;  ///< position in inputs_of()
  Vector at;              ///< values of the input, in its units; 0, 1, … for the levels of a category
  Vector deviation;       ///< standard deviation of the noise, in units of the transformed target
};
/// Noise along each input on which learned noise depends; empty for constant noise.
GPCV_EXPORT std::vector<NoiseEffect> noise_effects(const Model& model);

/// Contribution of a summand of the kernel.
struct ComponentEffect {
  std::string name;     ///< name of the summand
  double spread = 0;    ///< standard deviation of its mean over training rows, in units of the transformed target
  Prediction function;  ///< contribution at the points of the Effect of the only input; empty with several inputs
};
/// Contributions of the summands of the kernel; empty unless the kernel is a sum. `at` holds points of the only input;
/// it is empty with several inputs.
GPCV_EXPORT std::vector<ComponentEffect> component_effects(const Model& model, const Posterior& posterior,
                                                           const Vector& at);

/// Coefficient of the mean function, in the units of the transformed target and of the inputs.
struct MeanCoefficient {
  std::string name;  ///< "constant", or the name of an input
  double value = 0;  ///< value of the coefficient
};
/// Coefficients of the mean function; empty for a zero mean.
GPCV_EXPORT std::vector<MeanCoefficient> mean_coefficients(const Model& model);

}  // namespace gpcv
