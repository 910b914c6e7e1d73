#include "support/dense_folds.hpp"

namespace gpcv {

Matrix dense_fold(const KernelProgram& program, const Matrix& x, const Vector& noise, const Fold& fold) {
  Vector mask = Vector::Zero(x.rows());
  mask(fold.training).setOnes();
  const Matrix k = dense_kernel(program, x, 1);
  Matrix a = mask.asDiagonal() * k * mask.asDiagonal();
  a.diagonal() += noise;
  return a;
}

std::vector<Folds> assorted_folds(Index n) {
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

Vector random_noise(Random& random, Index n, double level) {
  Vector noise(n);
  for (double& v : noise) v = level * random.uniform(0.5, 2);
  return noise;
}

}  // namespace gpcv
