#include "backends/cuda/driver/matrix_product.hpp"

namespace gpcv::cuda {
namespace {

Address moved(Address address, long long numbers) {
  return address + static_cast<Address>(numbers) * static_cast<Address>(sizeof(double));
}

long long reach(long long rows, long long columns, long long stride) { return stride * (columns - 1) + rows; }

}  // namespace

void in_parts(const MatrixProduct& p, long long most, const std::function<void(const MatrixProduct&)>& call) {
  if (p.m == 0 || p.n == 0) return;
  const bool a_too_large = (p.transpose_a ? reach(p.inner, p.m, p.stride_a) : reach(p.m, p.inner, p.stride_a)) > most;
  const bool b_too_large = (p.transpose_b ? reach(p.n, p.inner, p.stride_b) : reach(p.inner, p.n, p.stride_b)) > most;
  const bool c_too_large = reach(p.m, p.n, p.stride_c) > most;
  MatrixProduct first = p, second = p;
  // The span of a matrix depends on its columns, so the columns of the first matrix that is too large are halved.
  if (a_too_large && p.transpose_a && p.m > 1) {
    first.m = p.m / 2;
    second.m = p.m - first.m;
    second.a = moved(p.a, first.m * p.stride_a);
    second.c = moved(p.c, first.m);
  } else if (((a_too_large && !p.transpose_a) || (b_too_large && p.transpose_b)) && p.inner > 1) {
    first.inner = p.inner / 2;
    second.inner = p.inner - first.inner;
    second.a = moved(p.a, p.transpose_a ? first.inner : first.inner * p.stride_a);
    second.b = moved(p.b, p.transpose_b ? first.inner * p.stride_b : first.inner);
    second.beta = 1;
  } else if (((b_too_large && !p.transpose_b) || c_too_large) && p.n > 1) {
    first.n = p.n / 2;
    second.n = p.n - first.n;
    second.b = moved(p.b, p.transpose_b ? first.n : first.n * p.stride_b);
    second.c = moved(p.c, first.n * p.stride_c);
  } else {
    call(p);
    return;
  }
  in_parts(first, most, call);
  in_parts(second, most, call);
}

}  // namespace gpcv::cuda
