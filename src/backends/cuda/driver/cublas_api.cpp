#include "backends/cuda/driver/cublas_api.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "backends/cuda/driver/device.hpp"
#include "core/shared_library.hpp"

namespace gpcv::cuda {
namespace {

// The constants of NVIDIA's cublas_api.h.
enum : int { not_transposed = 0, transposed = 1 };
enum : int { lower = 0 };
enum : int { left = 0, right = 1 };
enum : int { not_unit = 0 };
enum : int { allocation_failed = 3 };

/// The largest span of a matrix: this interface takes 32-bit sizes, and half of the signed range is used at most.
constexpr long long most_numbers = 1LL << 30;

const double* numbers(Address address) { return reinterpret_cast<const double*>(address); }
double* writable(Address address) { return reinterpret_cast<double*>(address); }

SharedLibrary open_library() {
  const char* named = std::getenv("GPCV_CUBLAS");
  return SharedLibrary::open({named != nullptr ? named : "", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                              "/usr/local/cuda/lib64/libcublas.so"});
}

}  // namespace

const Blas* Blas::instance(Device& device) {
  // The object is never destroyed, like the device.
  static const Blas* const blas = new Blas(device);
  return blas->usable_ ? blas : nullptr;
}

bool Blas::found() { return static_cast<bool>(open_library()); }

bool Blas::found_wide() {
  static const bool found = open_library().find("cublasDtrmm_v2_64") != nullptr;
  return found;
}

Blas::Blas(Device& device) {
  const SharedLibrary library = open_library();
  if (!library || !library.bind(create_, "cublasCreate_v2") || !library.bind(set_stream_, "cublasSetStream_v2") ||
      !library.bind(gemm_, "cublasDgemm_v2") || !library.bind(trsm_, "cublasDtrsm_v2")) {
    return;
  }
  usable_ = create_(&handle_) == 0 && set_stream_(handle_, device.stream()) == 0;
  wide_ = library.bind(wide_trsm_, "cublasDtrsm_v2_64") && library.bind(wide_trmm_, "cublasDtrmm_v2_64") &&
          library.bind(wide_syrk_, "cublasDsyrk_v2_64");
}

void Blas::check(int status, const char* what) const {
  if (status == allocation_failed) throw OutOfDeviceMemory(fmt::format("cuBLAS has no memory left to {}", what));
  if (status != 0) throw DeviceError(fmt::format("cuBLAS could not {}: status {}", what, status));
}

void Blas::multiply(const MatrixProduct& product) const {
  in_parts(product, most_numbers, [&](const MatrixProduct& p) {
    check(gemm_(handle_, p.transpose_a ? transposed : not_transposed, p.transpose_b ? transposed : not_transposed,
                static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.inner), &p.alpha, numbers(p.a),
                static_cast<int>(p.stride_a), numbers(p.b), static_cast<int>(p.stride_b), &p.beta, writable(p.c),
                static_cast<int>(p.stride_c)),
          "multiply matrices");
  });
}

void Blas::solve_right(long long m, long long n, Address l, long long stride_l, Address b, long long stride_b) const {
  if (m == 0 || n == 0) return;
  const double one = 1;
  check(trsm_(handle_, right, lower, transposed, not_unit, static_cast<int>(m), static_cast<int>(n), &one, numbers(l),
              static_cast<int>(stride_l), writable(b), static_cast<int>(stride_b)),
        "solve with a triangle");
}

void Blas::solve_left(long long m, long long n, Address l, long long stride_l, Address b, long long stride_b) const {
  if (m == 0 || n == 0) return;
  const double one = 1;
  check(trsm_(handle_, left, lower, not_transposed, not_unit, static_cast<int>(m), static_cast<int>(n), &one,
              numbers(l), static_cast<int>(stride_l), writable(b), static_cast<int>(stride_b)),
        "solve with a triangle");
}

void Blas::multiply_triangle(Side side, Form form, long long m, long long n, double alpha, Address l,
                             long long stride_l, Address b, long long stride_b) const {
  if (m == 0 || n == 0) return;
  check(wide_trmm_(handle_, side == Side::left ? left : right, lower, form == Form::plain ? not_transposed : transposed,
                   not_unit, m, n, &alpha, numbers(l), stride_l, numbers(b), stride_b, writable(b), stride_b),
        "multiply by a triangle");
}

void Blas::solve_triangle(Form form, long long m, long long n, Address l, long long stride_l, Address b,
                          long long stride_b) const {
  if (m == 0 || n == 0) return;
  const double one = 1;
  check(wide_trsm_(handle_, left, lower, form == Form::plain ? not_transposed : transposed, not_unit, m, n, &one,
                   numbers(l), stride_l, writable(b), stride_b),
        "solve with a triangle");
}

void Blas::add_squares(long long n, long long inner, Address a, long long stride_a, Address c,
                       long long stride_c) const {
  if (n == 0 || inner == 0) return;
  const double one = 1;
  check(wide_syrk_(handle_, lower, transposed, n, inner, &one, numbers(a), stride_a, &one, writable(c), stride_c),
        "multiply a matrix by itself");
}

}  // namespace gpcv::cuda
