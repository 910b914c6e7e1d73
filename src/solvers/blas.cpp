#include "solvers/blas.hpp"

#include <cblas.h>

#include "core/threads.hpp"

namespace gpcv {

void multiply(double alpha, ConstView a, bool transpose_a, ConstView b, bool transpose_b, double beta, View c,
              int threads) {
  const Index inner = transpose_a ? a.rows() : a.cols();
  if (c.size() == 0) return;
  const BlasThreads guard(worthwhile_threads(
      threads, 2.0 * static_cast<double>(c.rows()) * static_cast<double>(c.cols()) * static_cast<double>(inner)));
  if (c.cols() == 1 && !transpose_b) {
    // One column is bound by memory, and dgemm copies the matrix into panels first: twice as slow, measured.
    cblas_dgemv(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, static_cast<int>(a.rows()),
                static_cast<int>(a.cols()), alpha, a.data(), static_cast<int>(a.outerStride()), b.data(), 1, beta,
                c.data(), 1);
    return;
  }
  cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
              static_cast<int>(c.rows()), static_cast<int>(c.cols()), static_cast<int>(inner), alpha, a.data(),
              static_cast<int>(a.outerStride()), b.data(), static_cast<int>(b.outerStride()), beta, c.data(),
              static_cast<int>(c.outerStride()));
}

}  // namespace gpcv
