/// Diagnostics of a trained model in numbers; the report presents them as sentences and charts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpcv/assessment.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

/// Alternative optimum: nearly as good as the best, with different parameters.
struct AlternativeOptimum {
  std::size_t optimum = 0;  ///< position in Provenance::optima
  double worse = 0;         ///< relative increase of the error, or decrease of the log likelihood
  std::string parameter;    ///< parameter that differs most
  double best = 0;          ///< its value at the best optimum, standardised
  double other = 0;         ///< its value at this optimum, standardised
};

/// Outcome of a training: the error relative to the spread of the target, and parameters to question.
struct Outcome {
  bool by_folds = true;                          ///< the objective is a cross-validation error, not a likelihood
  double target_deviation = 0;                   ///< standard deviation of the training targets
  bool beats_mean = true;                        ///< held-out rows are predicted better than by the target's mean
  double explained = 0;                          ///< 1 − (cv rmse / target_deviation)²; NaN when there is no cv rmse
  std::vector<std::string> at_bounds;            ///< parameters that ended at a bound
  std::vector<std::string> unknown;              ///< parameters that the data do not determine
  std::vector<AlternativeOptimum> alternatives;  ///< optima nearly as good as the best
};
/// Outcome of the training of a model.
GPCV_EXPORT Outcome outcome_of(const Model& model);

/// Whether the noise was trained.
GPCV_EXPORT bool noise_is_free(const Model& model);

/// Diagnostics of a model: the contents of its report.
struct Diagnostics {
  Outcome outcome;                          ///< outcome of the training
  Assessment held_out;                      ///< assessment of held-out rows
  std::optional<Assessment> test;           ///< assessment of a test table
  std::vector<Input> inputs;                ///< inputs of the model
  Importance importance;                    ///< importance of the inputs; empty where the model's file has none
  std::vector<Relevance> relevance;         ///< relevance of the inputs; empty for one input
  std::vector<Effect> effects;              ///< effects of the most relevant inputs
  std::vector<NoiseEffect> noise;           ///< learned noise along the inputs on which it depends
  std::vector<ComponentEffect> components;  ///< contributions of the summands of the kernel
  std::vector<MeanCoefficient> mean;        ///< coefficients of the mean function
};

/// Diagnostics that take little time compared with a training: the outcome, the inputs and their relevance.
GPCV_EXPORT Diagnostics brief_diagnostics_of(const Model& model, const ComputeOptions& compute);

/// Largest number of effects in a report.
constexpr std::size_t most_effects = 12;

/// Diagnostics of a model; with a test table its predictions are assessed as well.
GPCV_EXPORT Diagnostics diagnostics_of(const Model& model, const ComputeOptions& compute,
                                       const Dataset* test = nullptr);

}  // namespace gpcv
