/// What a model says of each input, and what each summand of its kernel contributes.
#pragma once

#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// One input as the user's table has it: a column of numbers, or a category with one indicator per level.
struct Input {
  std::string name;
  std::vector<Index> columns;       ///< of the model's inputs
  std::vector<std::string> levels;  ///< of a category, one per column; empty for numbers
  double range = 0;                 ///< largest − smallest value in training, in the user's units
};
GPCV_EXPORT std::vector<Input> inputs_of(const Model& model);

/// The training inputs in the user's units.
GPCV_EXPORT Matrix training_inputs(const Model& model);

/// How much an input matters.
struct Relevance {
  std::size_t input = 0;  ///< of inputs_of()
  /// Root mean square by which predictions of training rows change when the input's values are dealt to other rows,
  /// in the target's units.
  double moved = 0;
  double inverse_length = 0;  ///< its standard deviation over its own length scale, of a category's levels the
                              ///< shortest; NaN when it has none
};
/// Most relevant first.
GPCV_EXPORT std::vector<Relevance> relevance(const Model& model, const Posterior& posterior);

/// The prediction along one input, the others where the middle of the training rows is.
struct Effect {
  std::size_t input = 0;  ///< of inputs_of()
  Vector at;              ///< in the input's units; 0, 1, … for the levels of a category
  Prediction function;    ///< without noise
  Prediction rows;        ///< with it
};
GPCV_EXPORT std::vector<Effect> effects(const Model& model, const Posterior& posterior,
                                        const std::vector<std::size_t>& inputs);

/// What a summand contributes.
struct ComponentEffect {
  std::string name;
  double spread = 0;    ///< standard deviation of its mean over training rows, in the target's units
  Prediction function;  ///< along the only input, at the points of its Effect; empty with several inputs
};
/// What each summand of the kernel contributes; empty unless the kernel is a sum. `at`: points of the only input, or
/// nothing.
GPCV_EXPORT std::vector<ComponentEffect> component_effects(const Model& model, const Posterior& posterior,
                                                           const Vector& at);

/// A coefficient of the mean function, in the units of target and inputs.
struct MeanCoefficient {
  std::string name;  ///< "constant", or the name of an input
  double value = 0;
};
/// Coefficients of the mean function; empty where it is zero.
GPCV_EXPORT std::vector<MeanCoefficient> mean_coefficients(const Model& model);

}  // namespace gpcv
