/// Start values from the relevance of single inputs and of pairs of inputs.
#pragma once

#include <optional>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// log θ with the length scales of the relevant inputs at the scale on which they matter and those of all other inputs
/// long; empty if the kernel has no length scale of its own for each of several inputs, or if none is relevant.
///
/// With many inputs a kernel with equal length scales is nearly diagonal, or nearly constant, whatever its scale, and a
/// descent from there ends in noise. The relevance of an input, or of a pair, at a length is a statistic that needs no
/// matrix to be factorised: with e the part of the target that is not explained yet,
///   T = Σ_ij k_ij e_i e_j / √(Σ_ij k_ij² e_i² e_j²)
/// over pairs of rows that different folds validate, which is about standard normal where the input is irrelevant. The
/// best input or pair is taken, e becomes the held-out residual of what has been taken so far, and the search goes on.
std::optional<Vector> relevance_start(const Problem& problem, const TrainOptions& options);

}  // namespace gpcv
