#include "solvers/blas.hpp"

#include "core/blas_interfaces.hpp"
#include "core/threads.hpp"

namespace gpcv {

namespace {

/// The part of a that holds rows [first, last) of op(a).
ConstView rows_of(ConstView a, bool transpose, Index first, Index last) {
  return transpose ? ConstView(a.middleCols(first, last - first)) : ConstView(a.middleRows(first, last - first));
}

void multiply_alone(double alpha, ConstView a, bool transpose_a, ConstView b, bool transpose_b, double beta, View c) {
  if (c.size() == 0) return;
  if (c.cols() == 1 && !transpose_b) {
    // A product with one column is bound by memory; dgemm, which first copies the matrix into panels, took twice as
    // long (measured).
    cblas_dgemv(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, static_cast<int>(a.rows()),
                static_cast<int>(a.cols()), alpha, a.data(), static_cast<int>(a.outerStride()), b.data(), 1, beta,
                c.data(), 1);
    return;
  }
  const Index inner = transpose_a ? a.rows() : a.cols();
  cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
              static_cast<int>(c.rows()), static_cast<int>(c.cols()), static_cast<int>(inner), alpha, a.data(),
              static_cast<int>(a.outerStride()), b.data(), static_cast<int>(b.outerStride()), beta, c.data(),
              static_cast<int>(c.outerStride()));
}

}  // namespace

void multiply(double alpha, ConstView a, bool transpose_a, ConstView b, bool transpose_b, double beta, View c,
              int threads) {
  const Index inner = transpose_a ? a.rows() : a.cols();
  threads = worthwhile_threads(
      threads, 2.0 * static_cast<double>(c.rows()) * static_cast<double>(c.cols()) * static_cast<double>(inner));
  // The library's own threads call BLAS, each for its part. BLAS's threads would spin between calls while the kernel
  // products need the cores, and vice versa; this cost three quarters of the time of a training on 1500 rows.
  const BlasThreads guard(1);
  const bool by_rows = c.rows() >= c.cols();
  const Index length = by_rows ? c.rows() : c.cols();
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; ++t) {
    const Index first = length * t / threads, last = length * (t + 1) / threads;
    if (by_rows) {
      multiply_alone(alpha, rows_of(a, transpose_a, first, last), transpose_a, b, transpose_b, beta,
                     c.middleRows(first, last - first));
    } else {
      multiply_alone(alpha, a, transpose_a, rows_of(b, !transpose_b, first, last), transpose_b, beta,
                     c.middleCols(first, last - first));
    }
  }
}

}  // namespace gpcv
