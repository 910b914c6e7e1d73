/// Products and triangular solves of matrices on the device by cuBLAS, opened at run time.
#pragma once

#include <string>

#include "backends/cuda/driver/driver_api.hpp"
#include "backends/cuda/driver/matrix_product.hpp"

namespace gpcv::cuda {

class Device;

/// Column-major, in double. Everything is queued on the device's stream; the device is locked by the caller.
class Blas {
 public:
  /// Opened at the first call with the device locked; null where there is no cuBLAS.
  static const Blas* instance(Device& device);
  /// Whether there is a library to open.
  static bool found();

  /// In parts, where it is too large for one call.
  void multiply(const MatrixProduct& product) const;
  /// b = b L⁻ᵀ, L the lower triangle of l.   b: m × n
  void solve_right(long long m, long long n, Address l, long long stride_l, Address b, long long stride_b) const;
  /// b = L⁻¹ b.   b: m × n
  void solve_left(long long m, long long n, Address l, long long stride_l, Address b, long long stride_b) const;

 private:
  using Handle = struct cublasContext*;
  explicit Blas(Device& device);
  void check(int status, const char* what) const;

  int (*create_)(Handle*) = nullptr;
  int (*set_stream_)(Handle, StreamHandle) = nullptr;
  int (*gemm_)(Handle, int, int, int, int, int, const double*, const double*, int, const double*, int, const double*,
               double*, int) = nullptr;
  int (*trsm_)(Handle, int, int, int, int, int, int, const double*, const double*, int, double*, int) = nullptr;
  Handle handle_ = nullptr;
  bool usable_ = false;
};

}  // namespace gpcv::cuda
