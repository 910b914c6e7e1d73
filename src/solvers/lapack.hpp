/// The routines of LAPACK that the library uses, on lower triangles stored by columns. They are called as Fortran
/// subroutines, which OpenBLAS contains: LAPACKE would add four libraries to every program.
#pragma once

#include <cstddef>

#include "gpcv/types.hpp"

extern "C" {
// A character argument has a hidden length behind the others.
void dpotrf_(const char* triangle, const int* n, double* a, const int* stride, int* info, std::size_t);
void dpotrs_(const char* triangle, const int* n, const int* columns, const double* l, const int* stride, double* x,
             const int* x_stride, int* info, std::size_t);
void dtrtrs_(const char* triangle, const char* transposed, const char* unit, const int* n, const int* columns,
             const double* l, const int* stride, double* x, const int* x_stride, int* info, std::size_t, std::size_t,
             std::size_t);
void dtrtri_(const char* triangle, const char* unit, const int* n, double* l, const int* stride, int* info, std::size_t,
             std::size_t);
void dlauum_(const char* triangle, const int* n, double* l, const int* stride, int* info, std::size_t);
}

namespace gpcv::lapack {

inline int as_lapack(Index n) { return static_cast<int>(n); }

/// A becomes L, A = L Lᵀ. Not 0 where A is not positive definite.
inline int factorise(Index n, double* a, Index stride) {
  const int rows = as_lapack(n), leading = as_lapack(stride);
  int info = 0;
  dpotrf_("L", &rows, a, &leading, &info, 1);
  return info;
}

/// X becomes (L Lᵀ)⁻¹ X.
inline void solve(Index n, const double* l, Index stride, Index columns, double* x, Index x_stride) {
  const int rows = as_lapack(n), leading = as_lapack(stride), many = as_lapack(columns),
            x_leading = as_lapack(x_stride);
  int info = 0;
  dpotrs_("L", &rows, &many, l, &leading, x, &x_leading, &info, 1);
}

/// X becomes L⁻¹ X.
inline void half_solve(Index n, const double* l, Index stride, Index columns, double* x, Index x_stride) {
  const int rows = as_lapack(n), leading = as_lapack(stride), many = as_lapack(columns),
            x_leading = as_lapack(x_stride);
  int info = 0;
  dtrtrs_("L", "N", "N", &rows, &many, l, &leading, x, &x_leading, &info, 1, 1, 1);
}

/// L becomes L⁻¹.
inline void invert(Index n, double* l, Index stride) {
  const int rows = as_lapack(n), leading = as_lapack(stride);
  int info = 0;
  dtrtri_("L", "N", &rows, l, &leading, &info, 1, 1);
}

/// L becomes the lower triangle of Lᵀ L.
inline void multiply_by_transpose(Index n, double* l, Index stride) {
  const int rows = as_lapack(n), leading = as_lapack(stride);
  int info = 0;
  dlauum_("L", &rows, l, &leading, &info, 1);
}

}  // namespace gpcv::lapack
