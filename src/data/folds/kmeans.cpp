#include "data/folds/kmeans.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace gpcv {
namespace {

constexpr int most_iterations = 50;

/// k-means++: each further mean is a row drawn with probability ∝ its squared distance to the nearest mean so far.
Matrix first_means(ConstView x, Index k, Random& random) {
  Matrix means(k, x.cols());
  means.row(0) = x.row(static_cast<Index>(random.below(static_cast<std::uint64_t>(x.rows()))));
  Vector distance = (x.rowwise() - means.row(0)).rowwise().squaredNorm();
  for (Index m = 1; m < k; ++m) {
    double left = random.uniform() * distance.sum();
    Index chosen = 0;
    while (chosen + 1 < x.rows() && left >= distance(chosen)) left -= distance(chosen++);
    means.row(m) = x.row(chosen);
    distance = distance.cwiseMin((x.rowwise() - means.row(m)).rowwise().squaredNorm());
  }
  return means;
}

}  // namespace

std::vector<Index> k_means(ConstView x, Index k, std::uint64_t seed) {
  Random random(seed);
  Matrix means = first_means(x, k, random);
  std::vector<Index> nearest(static_cast<std::size_t>(x.rows()), -1);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    bool moved = false;
    Matrix sums = Matrix::Zero(k, x.cols());
    Vector counts = Vector::Zero(k);
    for (Index i = 0; i < x.rows(); ++i) {
      Index best = 0;
      (means.rowwise() - x.row(i)).rowwise().squaredNorm().minCoeff(&best);
      moved = moved || best != nearest[static_cast<std::size_t>(i)];
      nearest[static_cast<std::size_t>(i)] = best;
      sums.row(best) += x.row(i);
      counts(best) += 1;
    }
    if (!moved) break;
    for (Index m = 0; m < k; ++m) {
      if (counts(m) > 0) means.row(m) = sums.row(m) / counts(m);
    }
  }
  return nearest;
}

}  // namespace gpcv
