/// A Cholesky factorisation in the memory of the device, and the inverse that takes its place.
#pragma once

#include "backends/cuda/dense/square_kernels.hpp"
#include "backends/cuda/driver/cublas_api.hpp"
#include "backends/cuda/driver/cusolver_api.hpp"
#include "backends/cuda/space/vector_kernels.hpp"

namespace gpcv::cuda {

/// What computes with stored matrices on a device. The caller locks the device.
struct DenseTools {
  DenseTools();

  Device& device;
  const Blas& blas;
  const Lapack& lapack;
  VectorKernels vectors;
  SquareKernels squares;
};

/// Whether both libraries are there, in versions that take matrices of any size.
bool has_dense_tools();

/// M + noise I = L Lᵀ of a matrix on the device. The caller of every function locks the device.
class DeviceCholesky {
 public:
  /// matrix: M with both triangles, size × size. Throws NumericalError when the last jitter fails.
  DeviceCholesky(const DenseTools& tools, Buffer matrix, Index size, double noise);

  double jitter() const { return jitter_; }
  Index size() const { return size_; }
  /// b = op(L)⁻¹ b.   b: size × columns
  void solve_triangle(Blas::Form form, Address b, Index columns) const;
  /// Σ_i a_ic² of every column.   a: size × columns
  Vector squared_norms(Address a, Index columns) const;
  /// M⁻¹ with both triangles. It takes over the memory of the factor, so this object becomes empty.
  Buffer take_inverse() &&;

 private:
  /// L = L⁻¹ of the triangle of `size` rows that begins in row and column `first`, by halves.
  ///   [P 0; Q R]⁻¹ = [P⁻¹ 0; −R⁻¹QP⁻¹ R⁻¹]
  void invert(Index first, Index size, Address scratch) const;
  /// The lower triangle of W becomes that of WᵀW, by halves.   [P 0; Q R]: PᵀP + QᵀQ, RᵀQ, RᵀR
  void square(Index first, Index size, Address scratch) const;
  Address at(Index row, Index column) const;

  const DenseTools& tools_;
  Buffer matrix_;
  Index size_;
  double jitter_ = 0;
};

}  // namespace gpcv::cuda
