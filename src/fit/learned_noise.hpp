/// Noise that is learned from held-out residuals, and whether it is kept.
#pragma once

#include <functional>

#include "gpcv/fit.hpp"

namespace gpcv {

/// Throws InputError unless the noise can be learned: the table must not state it, nor the user fix it, and the trainer
/// pools its folds.
void require_learnable_noise(const Dataset& data, const FitOptions& options);

/// A training with constant noise, or with the noise of each row that the data state.
using TrainWithNoise = std::function<FitResult(const Dataset&, const FitOptions&)>;

/// Trains with constant noise, learns σ²(x) from the held-out residuals, and trains again with the noise of each row,
/// as long as that improves the log score of the held-out rows. Each row's noise is learned without the residuals of
/// its own fold, so that this score is honest. NoiseModel::automatic keeps the simpler model unless the score improves
/// by more than a standard error.   docs/math/noise.md
FitResult fit_learned_noise(const Dataset& data, const FitOptions& options, const TrainWithNoise& train);

/// The model as a start of trainings with constant noise; it predicts nothing.
std::shared_ptr<const Model> with_constant_noise(const Model& model);

/// Rough time of such a fit, in units of one with constant noise.
double time_of_learned_noise(const FitOptions& options);

}  // namespace gpcv
