/// Which solver and which derivatives train a problem fastest, from the costs each would have.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Settings of the conjugate gradients that solve the systems of all folds.
struct IterativePlan {
  Index rank = 0;     ///< of the preconditioner
  Index columns = 0;  ///< solved at once
  double pass = 1;    ///< what a product over all rows counts as in Work: less on a part of the data
};

struct TrainingPlan {
  Solver solver = Solver::cholesky;
  bool adjoint = false;
  IterativePlan iterative = {};
  double seconds = 0;  ///< of the whole training, a guess
  std::size_t bytes = 0;
  std::string reason;
};

/// For a problem at its start. Throws InputError, naming the budget that would do, when nothing fits the memory.
TrainingPlan plan_training(const Problem& problem, const TrainOptions& options);

/// Rows trained on, smallest part first, all of them last.
std::vector<Index> nested_rows(Index rows, const TrainOptions& options);

/// Noise over the kernel's mean variance: how hard the systems are.
double noise_ratio(const Problem& problem);

/// Seconds that one evaluation of the likelihood on so many rows takes.
double likelihood_seconds(Index rows, int threads);

}  // namespace gpcv
