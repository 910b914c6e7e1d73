/// What a reader should know of a trained model, in numbers; the report puts them into words and pictures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpcv/assessment.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

/// An optimum about as good as the best, elsewhere.
struct AlternativeOptimum {
  std::size_t optimum = 0;     ///< of Model::optima
  double worse = 0;            ///< relative increase of the error; of a likelihood, the difference
  std::string parameter;       ///< that differs most
  double best = 0, other = 0;  ///< its values, standardised
};

/// How a training ended: the error beside the spread of the target, and parameters to doubt.
struct Outcome {
  bool by_folds = true;                ///< objective is an error of folds, not a likelihood
  double target_deviation = 0;         ///< standard deviation of the training targets
  double explained = 0;                ///< 1 − (cv rmse / that)²; NaN when there is no cv rmse
  std::vector<std::string> at_bounds;  ///< parameters that ended at a bound
  std::vector<std::string> unknown;    ///< parameters the data say nothing about
  std::vector<AlternativeOptimum> alternatives;
};
GPCV_EXPORT Outcome outcome_of(const Model& model);

/// Whether the noise was trained.
GPCV_EXPORT bool noise_is_free(const Model& model);
/// One standard error of log θ that tells nothing.
GPCV_EXPORT bool says_nothing(double standard_error);

/// Everything that a report of a model shows.
struct Diagnostics {
  Outcome outcome;
  Assessment held_out;
  std::optional<Assessment> test;  ///< on a table of its own
  std::vector<Input> inputs;
  std::vector<Relevance> relevance;  ///< empty with one input
  std::vector<Effect> effects;       ///< of the most relevant inputs
  std::vector<ComponentEffect> components;
  std::vector<MeanCoefficient> mean;
};

/// Effects shown at most.
constexpr std::size_t most_effects = 12;

/// Examines a model; predictions of a test table are assessed where one is given.
GPCV_EXPORT Diagnostics diagnostics_of(const Model& model, const ComputeOptions& compute,
                                       const Dataset* test = nullptr);

}  // namespace gpcv
