#include "backends/dense_kernel.hpp"

#include <algorithm>

#include "backends/simd/dense.hpp"
#include "core/threads.hpp"
#include "kernels/evaluate.hpp"
#include "operators/points.hpp"

namespace gpcv {
namespace {

/// The number of threads for rows × cols pairs; a pair costs about ten operations.
int threads_for(int requested, Index rows, Index cols) {
  return worthwhile_threads(requested, 10.0 * static_cast<double>(rows) * static_cast<double>(cols));
}

}  // namespace

Matrix dense_kernel(const KernelProgram& program, ConstView x1, ConstView x2, int threads) {
  require_usable(program, x1);
  require_usable(program, x2);
  Matrix k(x1.rows(), x2.rows());
  simd::assemble(program, x1, x2, k, threads_for(threads, k.rows(), k.cols()));
  return k;
}

Matrix dense_kernel(const KernelProgram& program, ConstView x, int threads) {
  return dense_kernel(program, x, x, threads);
}

Vector kernel_diagonal(const KernelProgram& program, ConstView x) {
  require_usable(program, x);
  const Matrix points = points_of(x);
  PairEvaluator pair(program);
  Vector diagonal(x.rows());
  for (Index i = 0; i < x.rows(); ++i) diagonal(i) = pair.value(points.col(i).data(), points.col(i).data());
  return diagonal;
}

double typical_variance(const KernelProgram& program, ConstView x) {
  return kernel_diagonal(program, x.topRows(std::min<Index>(x.rows(), 100))).mean();
}

Vector contract_dense(const KernelProgram& program, ConstView x, ConstView w, int threads) {
  require_usable(program, x);
  Vector g(program.parameters);
  simd::contract_dense(program, x, w, g, threads_for(threads, x.rows(), x.rows()));
  return g;
}

}  // namespace gpcv
