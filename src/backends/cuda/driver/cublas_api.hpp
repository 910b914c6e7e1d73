/// Matrix products and triangular solves on the device by cuBLAS, which is loaded at run time.
#pragma once

#include <string>

#include "backends/cuda/driver/driver_api.hpp"
#include "backends/cuda/driver/matrix_product.hpp"

namespace gpcv::cuda {

class Device;

/// BLAS functions on column-major matrices in double. All calls are queued on the device's stream; the caller locks the
/// device.
class Blas {
 public:
  /// The library, loaded by the first call, which needs the device locked; null if there is no cuBLAS.
  static const Blas* instance(Device& device);
  /// Whether the library is available.
  static bool found();
  /// Whether a library with wide() is available.
  static bool found_wide();

  /// Computes the product, in parts if it is too large for one call.
  void multiply(const MatrixProduct& product) const;
  /// b = b L⁻ᵀ, L the lower triangle of l.   b: m × n
  void solve_right(long long m, long long n, Address l, long long stride_l, Address b, long long stride_b) const;
  /// b = L⁻¹ b.   b: m × n
  void solve_left(long long m, long long n, Address l, long long stride_l, Address b, long long stride_b) const;

  /// Whether matrices may span more than 2³¹ numbers: the functions below need a cuBLAS of CUDA 12 or newer.
  bool wide() const { return wide_; }
  enum class Side { left, right };
  enum class Form { plain, transposed };
  /// b = alpha op(L) b or b = alpha b op(L), L the lower triangle of l.   b: m × n
  void multiply_triangle(Side side, Form form, long long m, long long n, double alpha, Address l, long long stride_l,
                         Address b, long long stride_b) const;
  /// b = op(L)⁻¹ b, L the lower triangle of l.   b: m × n
  void solve_triangle(Form form, long long m, long long n, Address l, long long stride_l, Address b,
                      long long stride_b) const;
  /// The lower triangle of c += aᵀ a.   a: inner × n
  void add_squares(long long n, long long inner, Address a, long long stride_a, Address c, long long stride_c) const;

 private:
  using Handle = struct cublasContext*;
  explicit Blas(Device& device);
  void check(int status, const char* what) const;

  int (*create_)(Handle*) = nullptr;
  int (*set_stream_)(Handle, StreamHandle) = nullptr;
  int (*gemm_)(Handle, int, int, int, int, int, const double*, const double*, int, const double*, int, const double*,
               double*, int) = nullptr;
  int (*trsm_)(Handle, int, int, int, int, int, int, const double*, const double*, int, double*, int) = nullptr;
  // The functions with sizes of 64 bits.
  int (*wide_trsm_)(Handle, int, int, int, int, long long, long long, const double*, const double*, long long, double*,
                    long long) = nullptr;
  int (*wide_trmm_)(Handle, int, int, int, int, long long, long long, const double*, const double*, long long,
                    const double*, long long, double*, long long) = nullptr;
  int (*wide_syrk_)(Handle, int, int, long long, long long, const double*, const double*, long long, const double*,
                    double*, long long) = nullptr;
  Handle handle_ = nullptr;
  bool usable_ = false, wide_ = false;
};

}  // namespace gpcv::cuda
