/// Maximum likelihood by dense factorisation: the baseline every other trainer is compared with.
#pragma once

#include "trainers/common/trainer_traits.hpp"

namespace gpcv {

/// −log p(y) = ½ yᵀC⁻¹y + ½ log det C + ½ n log 2π, C = K + σ²I, and what came with it.
struct Likelihood {
  double value = 0;
  double jitter = 0;
  Vector gradient;  ///< with respect to log θ: kernel parameters, then the noise when asked for
};

/// O(n³) time, one n × n matrix of memory.
Likelihood negative_log_likelihood(const Kernel& kernel, double noise, ConstView x, ConstVectorView y,
                                   bool noise_gradient, int threads);

TrainResult train_likelihood(const Problem& problem, const TrainOptions& options, const Observer& observer);

TrainerTraits likelihood_traits();

}  // namespace gpcv
