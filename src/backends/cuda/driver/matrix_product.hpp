/// A product of matrices as BLAS is told of it, and its parts where it is too large for one call.
#pragma once

#include <functional>

#include "backends/cuda/driver/driver_api.hpp"

namespace gpcv::cuda {

/// c = alpha op(a) op(b) + beta c, column-major, in double. c: m × n, `inner` the other size of a and b.
struct MatrixProduct {
  bool transpose_a = false, transpose_b = false;
  long long m = 0, n = 0, inner = 0;
  double alpha = 1;
  Address a = 0;
  long long stride_a = 0;
  Address b = 0;
  long long stride_b = 0;
  double beta = 0;
  Address c = 0;
  long long stride_c = 0;
};

/// Calls `call` with products that amount to this one, and none of whose matrices reaches over more than `most`
/// numbers.
void in_parts(const MatrixProduct& product, long long most, const std::function<void(const MatrixProduct&)>& call);

}  // namespace gpcv::cuda
