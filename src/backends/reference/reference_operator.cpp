#include "backends/reference/reference_operator.hpp"

#include <vector>

#include "kernels/evaluate.hpp"
#include "operators/points.hpp"

namespace gpcv {

ReferenceOperator::ReferenceOperator(KernelProgram program, ConstView x1, ConstView x2, int threads)
    : BackendOperator(x1.rows(), x2.rows(), program.parameters),
      program_(std::move(program)),
      points1_(points_of(x1)),
      points2_(points_of(x2)),
      threads_(threads) {}

void ReferenceOperator::apply_impl(ConstView v, View y, std::span<const ZeroRows>) const {
#pragma omp parallel num_threads(threads_)
  {
    PairEvaluator pair(program_);
#pragma omp for schedule(static)
    for (Index i = 0; i < rows(); ++i) {
      y.row(i).setZero();
      for (Index j = 0; j < cols(); ++j) {
        // y_i += k(x_i, x_j) v_j
        y.row(i) += pair.value(points1_.col(i).data(), points2_.col(j).data()) * v.row(j);
      }
    }
  }
}

void ReferenceOperator::derivatives_impl(ConstView v, View j) const {
  const Index r = v.cols();
#pragma omp parallel num_threads(threads_)
  {
    PairEvaluator pair(program_);
    std::vector<double> gradient(static_cast<std::size_t>(parameters()));
#pragma omp for schedule(static)
    for (Index i = 0; i < rows(); ++i) {
      j.row(i).setZero();
      for (Index c = 0; c < cols(); ++c) {
        pair.gradient(points1_.col(i).data(), points2_.col(c).data(), gradient);
        for (Index t = 0; t < parameters(); ++t) {
          j.row(i).segment(t * r, r) += gradient[static_cast<std::size_t>(t)] * v.row(c);
        }
      }
    }
  }
}

void ReferenceOperator::contract_impl(ConstView u, ConstView v, VectorView g) const {
  // Each row has its own partial sum and these are added in order, so the bits do not depend on the number of threads.
  Matrix partial = Matrix::Zero(parameters(), rows());
#pragma omp parallel num_threads(threads_)
  {
    PairEvaluator pair(program_);
    std::vector<double> gradient(static_cast<std::size_t>(parameters()));
#pragma omp for schedule(static)
    for (Index i = 0; i < rows(); ++i) {
      for (Index c = 0; c < cols(); ++c) {
        pair.gradient(points1_.col(i).data(), points2_.col(c).data(), gradient);
        const double weight = u.row(i).dot(v.row(c));
        for (Index t = 0; t < parameters(); ++t) partial(t, i) += weight * gradient[static_cast<std::size_t>(t)];
      }
    }
  }
  g = partial.rowwise().sum();
}

}  // namespace gpcv
