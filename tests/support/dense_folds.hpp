/// Fold systems written out as matrices.
#pragma once

#include <vector>

#include "backends/dense_kernel.hpp"
#include "gpcv/folds.hpp"
#include "support/random_kernel.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {

/// M_k K M_k + D in the caller's row order, D alone where the fold does not train.
Matrix dense_fold(const KernelProgram& program, const Matrix& x, const Vector& noise, const Fold& fold);

/// Blocks validated by nobody, folds that train on little, and ordinary partitions.
std::vector<Folds> assorted_folds(Index n);

Vector random_noise(Random& random, Index n, double level);

}  // namespace gpcv
