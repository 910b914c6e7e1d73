/// The description of a matrix product for BLAS, and its division into parts if it is too large for one call.
#pragma once

#include <functional>

#include "backends/cuda/driver/driver_api.hpp"

namespace gpcv::cuda {

/// The product c = alpha op(a) op(b) + beta c, column-major, in double. c is m × n and `inner` the common size of op(a)
/// and op(b).
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

/// Calls `call` with products that together equal this one and whose matrices each span at most `most` numbers.
void in_parts(const MatrixProduct& product, long long most, const std::function<void(const MatrixProduct&)>& call);

}  // namespace gpcv::cuda
