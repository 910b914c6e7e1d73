/// Stands in for cuBLAS where the device's memory is the host's.
#include <Eigen/Core>

namespace {

using Block = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

Block block(const double* at, int rows, int columns, int stride) {
  return {const_cast<double*>(at), rows, columns, Eigen::OuterStride<>(stride)};
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
  *handle = nullptr;
  return 0;
}
int cublasSetStream_v2(void*, void*) { return 0; }

int cublasDgemm_v2(void*, int transpose_a, int transpose_b, int m, int n, int inner, const double* alpha,
                   const double* a, int stride_a, const double* b, int stride_b, const double* beta, double* c,
                   int stride_c) {
  const Eigen::MatrixXd left = transpose_a != 0 ? Eigen::MatrixXd(block(a, inner, m, stride_a).transpose())
                                                : Eigen::MatrixXd(block(a, m, inner, stride_a));
  const Eigen::MatrixXd right = transpose_b != 0 ? Eigen::MatrixXd(block(b, n, inner, stride_b).transpose())
                                                 : Eigen::MatrixXd(block(b, inner, n, stride_b));
  Block result = block(c, m, n, stride_c);
  // Zero times what was there is zero, whatever was there.
  if (*beta == 0) result.setZero();
  result = *alpha * (left * right) + *beta * result;
  return 0;
}

/// Lower triangles only.
int cublasDtrsm_v2(void*, int side, int, int transpose, int, int m, int n, const double* alpha, const double* l,
                   int stride_l, double* b, int stride_b) {
  const int size = side == 0 ? m : n;
  const Eigen::MatrixXd triangle = block(l, size, size, stride_l);
  Block result = block(b, m, n, stride_b);
  result *= *alpha;
  const auto lower = triangle.triangularView<Eigen::Lower>();
  if (side == 0) {
    transpose == 0 ? lower.solveInPlace(result) : lower.transpose().solveInPlace(result);
  } else {
    transpose == 0 ? lower.solveInPlace<Eigen::OnTheRight>(result)
                   : lower.transpose().solveInPlace<Eigen::OnTheRight>(result);
  }
  return 0;
}
}
