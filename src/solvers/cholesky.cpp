#include <algorithm>

#include "core/blas_interfaces.hpp"
#include "core/threads.hpp"
#include "gpcv/error.hpp"
#include "gpcv/solver.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv {
namespace {

double cubed(Index n) { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n); }

/// The number of threads for a factorisation. BLAS's threads spin for some milliseconds after a call and slow down the
/// library's own threads; several are used only if the work takes much longer than that.
int threads_for(int requested, double operations) { return operations >= 3e8 ? requested : 1; }

lapack_int as_lapack(Index n) { return static_cast<lapack_int>(n); }

/// Replaces L by L⁻¹:  [A 0; B C]⁻¹ = [A⁻¹ 0; −C⁻¹BA⁻¹ C⁻¹], recursively by halves. LAPACK's routine inverts the first
/// few hundred rows column by column, which took three fifths of its time for 550 rows.
void invert_lower(double* l, Index n, Index stride) {
  constexpr Index few = 48;
  if (n <= few) {
    LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', as_lapack(n), l, as_lapack(stride));
    return;
  }
  const Index half = n / 2, rest = n - half;
  double* b = l + half;
  double* c = b + half * stride;
  invert_lower(l, half, stride);
  invert_lower(c, rest, stride);
  const auto multiply = [&](CBLAS_SIDE side, double alpha, const double* triangle) {
    cblas_dtrmm(CblasColMajor, side, CblasLower, CblasNoTrans, CblasNonUnit, as_lapack(rest), as_lapack(half), alpha,
                triangle, as_lapack(stride), b, as_lapack(stride));
  };
  multiply(CblasRight, 1, l);
  multiply(CblasLeft, -1, c);
}

}  // namespace

Cholesky::Cholesky(Matrix matrix, int threads) : factor_(std::move(matrix)), threads_(std::max(1, threads)) {
  const Index n = factor_.rows();
  if (factor_.cols() != n) throw InputError("Cholesky needs a square matrix");
  if (n == 0) return;
  const BlasThreads guard(threads_for(threads_, cubed(n) / 3));
  const Vector diagonal = factor_.diagonal();
  const double scale = finite_mean(diagonal);
  // The upper triangle keeps the matrix for the next jitter.
  factor_.triangularView<Eigen::StrictlyUpper>() = factor_.transpose();
  for (double relative : jitters) {
    if (relative > 0) {
      factor_.triangularView<Eigen::StrictlyLower>() = factor_.transpose();
      jitter_ = relative * scale;
      factor_.diagonal() = diagonal.array() + jitter_;
    }
    const lapack_int info =
        LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', as_lapack(n), factor_.data(), as_lapack(factor_.outerStride()));
    if (info == 0 && factor_.diagonal().allFinite()) return;
  }
  throw_indefinite();
}

double Cholesky::log_determinant() const { return 2 * factor_.diagonal().array().log().sum(); }

Matrix Cholesky::solve(ConstView b) const {
  Matrix x = b;
  if (x.size() == 0) return x;
  const BlasThreads guard(threads_for(threads_, 2.0 * static_cast<double>(x.size()) * static_cast<double>(size())));
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', as_lapack(size()), as_lapack(x.cols()), factor_.data(),
                      as_lapack(factor_.outerStride()), x.data(), as_lapack(x.outerStride()));
  return x;
}

Matrix Cholesky::half_solve(ConstView b) const {
  Matrix x = b;
  if (x.size() == 0) return x;
  const BlasThreads guard(threads_for(threads_, static_cast<double>(x.size()) * static_cast<double>(size())));
  LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', as_lapack(size()), as_lapack(x.cols()), factor_.data(),
                      as_lapack(factor_.outerStride()), x.data(), as_lapack(x.outerStride()));
  return x;
}

Matrix Cholesky::multiply_factor(ConstView b, Index first) const {
  return factor_.block(first, first, b.rows(), b.rows()).triangularView<Eigen::Lower>() * b;
}

Matrix Cholesky::take_inverse() && {
  Matrix inverse = std::move(factor_);
  if (inverse.size() == 0) return inverse;
  const BlasThreads guard(threads_for(threads_, 2 * cubed(inverse.rows()) / 3));
  // C⁻¹ = L⁻ᵀL⁻¹
  invert_lower(inverse.data(), inverse.rows(), inverse.outerStride());
  LAPACKE_dlauum_work(LAPACK_COL_MAJOR, 'L', as_lapack(inverse.rows()), inverse.data(),
                      as_lapack(inverse.outerStride()));
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
  return inverse;
}

}  // namespace gpcv
