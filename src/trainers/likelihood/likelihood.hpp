/// Maximum likelihood by dense factorisation, the baseline for all other trainers.
#pragma once

#include "trainers/common/trainer_traits.hpp"

namespace gpcv {

/// Negative log likelihood −log p(y) = ½ yᵀC⁻¹y + ½ log det C + ½ n log 2π with C = K + σ²I, its gradient, and the
/// jitter of the factorisation.
struct Likelihood {
  double value = 0;
  double jitter = 0;
  Vector gradient;  ///< with respect to log θ: kernel parameters, then the noise if requested
};

/// Negative log likelihood in O(n³) time, with one n × n matrix of memory; of several targets, one per column of y, the
/// sum of theirs.
Likelihood negative_log_likelihood(const Kernel& kernel, double noise, ConstView x, ConstView y, bool noise_gradient,
                                   int threads);

TrainResult train_likelihood(const Problem& problem, const TrainOptions& options, const Observer& observer);

TrainerTraits likelihood_traits();

}  // namespace gpcv
