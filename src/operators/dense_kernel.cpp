#include "operators/dense_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/threads.hpp"
#include "gpcv/error.hpp"
#include "kernels/evaluate.hpp"
#include "operators/points.hpp"

namespace gpcv {
namespace {

/// Rows handed to a thread at a time. Sums are formed per block and added in order, so that a result does not
/// depend on the number of threads.
constexpr Index rows_per_block = 16;

/// A pair costs about a hundred operations here.
int threads_for(int requested, Index rows, Index cols) {
  return worthwhile_threads(requested, 100.0 * static_cast<double>(rows) * static_cast<double>(cols));
}

}  // namespace

void require_usable(const KernelProgram& program, ConstView x) {
  if (x.cols() != program.inputs) {
    throw InputError(fmt::format("the kernel is for {} input columns, the data have {}", program.inputs, x.cols()));
  }
  if (!x.allFinite()) throw InputError("the inputs contain NaN or infinite values");
  for (double value : program.values) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw InputError(fmt::format("kernel parameters must be positive and finite, not {}", value));
    }
  }
}

Matrix dense_kernel(const KernelProgram& program, ConstView x1, ConstView x2, int threads) {
  require_usable(program, x1);
  require_usable(program, x2);
  const Matrix p1 = points_of(x1), p2 = points_of(x2);
  Matrix k(x1.rows(), x2.rows());
#pragma omp parallel num_threads(threads_for(threads, k.rows(), k.cols()))
  {
    PairEvaluator pair(program);
#pragma omp for schedule(static)
    for (Index j = 0; j < k.cols(); ++j) {
      for (Index i = 0; i < k.rows(); ++i) k(i, j) = pair.value(p1.col(i).data(), p2.col(j).data());
    }
  }
  return k;
}

Matrix dense_kernel(const KernelProgram& program, ConstView x, int threads) {
  require_usable(program, x);
  const Matrix points = points_of(x);
  const Index n = x.rows();
  Matrix k(n, n);
#pragma omp parallel num_threads(threads_for(threads, n, n))
  {
    PairEvaluator pair(program);
#pragma omp for schedule(dynamic, rows_per_block)
    for (Index j = 0; j < n; ++j) {
      for (Index i = j; i < n; ++i) k(i, j) = pair.value(points.col(i).data(), points.col(j).data());
    }
  }
  k.triangularView<Eigen::StrictlyUpper>() = k.transpose();
  return k;
}

Vector kernel_diagonal(const KernelProgram& program, ConstView x) {
  require_usable(program, x);
  const Matrix points = points_of(x);
  PairEvaluator pair(program);
  Vector diagonal(x.rows());
  for (Index i = 0; i < x.rows(); ++i) diagonal(i) = pair.value(points.col(i).data(), points.col(i).data());
  return diagonal;
}

Vector contract_dense(const KernelProgram& program, ConstView x, ConstView w, int threads) {
  require_usable(program, x);
  const Matrix points = points_of(x);
  const Index n = x.rows();
  const Index blocks = (n + rows_per_block - 1) / rows_per_block;
  Matrix partial = Matrix::Zero(program.parameters, blocks);
#pragma omp parallel num_threads(threads_for(threads, n, n))
  {
    PairEvaluator pair(program);
    std::vector<double> gradient(static_cast<std::size_t>(program.parameters));
#pragma omp for schedule(dynamic)
    for (Index block = 0; block < blocks; ++block) {
      const Index end = std::min(n, (block + 1) * rows_per_block);
      for (Index j = block * rows_per_block; j < end; ++j) {
        for (Index i = j; i < n; ++i) {
          pair.gradient(points.col(i).data(), points.col(j).data(), gradient);
          // Each pair off the diagonal stands for two entries.
          const double weight = (i == j ? 1 : 2) * w(i, j);
          for (Index t = 0; t < program.parameters; ++t)
            partial(t, block) += weight * gradient[static_cast<std::size_t>(t)];
        }
      }
    }
  }
  return partial.rowwise().sum();
}

}  // namespace gpcv
