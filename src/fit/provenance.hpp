/// The provenance of a model: how it was trained.
#pragma once

#include "gpcv/fit.hpp"
#include "model/design.hpp"

namespace gpcv {

/// Writes the training, its settings and its trace into the provenance. `problem` has the folds and the names of θ.
void keep_training(Provenance& provenance, const TrainResult& training, const FitOptions& options,
                   const Problem& problem, const RowNoise& row_noise);

}  // namespace gpcv
