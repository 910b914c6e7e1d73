/// Fold systems written out as matrices.
#pragma once

#include "backends/dense_kernel.hpp"
#include "gpcv/folds.hpp"
#include "support/random_kernel.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {

/// M_k K M_k + D in the caller's row order, D alone where the fold does not train.
inline Matrix dense_fold(const KernelProgram& program, const Matrix& x, const Vector& noise, const Fold& fold) {
  Vector mask = Vector::Zero(x.rows());
  mask(fold.training).setOnes();
  const Matrix k = dense_kernel(program, x, 1);
  Matrix a = mask.asDiagonal() * k * mask.asDiagonal();
  a.diagonal() += noise;
  return a;
}

/// Blocks validated by nobody, folds that train on little, and ordinary partitions.
inline std::vector<Folds> assorted_folds(Index n) {
  Folds forward{n, {}, "forward chaining"};
  for (Index start : {n / 2, 2 * n / 3}) {
    Fold fold;
    for (Index i = 0; i < n; ++i) {
      if (i < start) fold.training.push_back(i);
      if (i >= start && i < start + n / 6) fold.validation.push_back(i);
    }
    forward.folds.push_back(fold);
  }
  return {Folds::random(n, 5, 3), Folds::interleaved(n, 2), Folds::holdout(n, 0.4, 5), forward};
}

inline Vector random_noise(Random& random, Index n, double level) {
  Vector noise(n);
  for (double& v : noise) v = level * random.uniform(0.5, 2);
  return noise;
}

}  // namespace gpcv
