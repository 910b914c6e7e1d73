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
int cublasDtrmm_v2_64(void*, int side, int, int transpose, int, long long m, long long n, const double* alpha,
                      const double* l, long long stride_l, const double* b, long long stride_b, double* c,
                      long long stride_c) {
  const int size = static_cast<int>(side == 0 ? m : n);
  const Eigen::MatrixXd triangle = block(l, size, size, static_cast<int>(stride_l)).triangularView<Eigen::Lower>();
  const Eigen::MatrixXd applied = transpose == 0 ? triangle : Eigen::MatrixXd(triangle.transpose());
  const Eigen::MatrixXd from = block(b, static_cast<int>(m), static_cast<int>(n), static_cast<int>(stride_b));
  Block result = block(c, static_cast<int>(m), static_cast<int>(n), static_cast<int>(stride_c));
  result = *alpha * (side == 0 ? Eigen::MatrixXd(applied * from) : Eigen::MatrixXd(from * applied));
  return 0;
}

/// The lower triangle of c = alpha aᵀ a + beta c.
int cublasDsyrk_v2_64(void*, int, int, long long n, long long inner, const double* alpha, const double* a,
                      long long stride_a, const double* beta, double* c, long long stride_c) {
  const Eigen::MatrixXd from = block(a, static_cast<int>(inner), static_cast<int>(n), static_cast<int>(stride_a));
  const Eigen::MatrixXd product = *alpha * (from.transpose() * from);
  Block result = block(c, static_cast<int>(n), static_cast<int>(n), static_cast<int>(stride_c));
  for (int j = 0; j < result.cols(); ++j) {
    for (int i = j; i < result.rows(); ++i) result(i, j) = product(i, j) + *beta * result(i, j);
  }
  return 0;
}

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

int cublasDtrsm_v2_64(void* handle, int side, int triangle, int transpose, int unit, long long m, long long n,
                      const double* alpha, const double* l, long long stride_l, double* b, long long stride_b) {
  return cublasDtrsm_v2(handle, side, triangle, transpose, unit, static_cast<int>(m), static_cast<int>(n), alpha, l,
                        static_cast<int>(stride_l), b, static_cast<int>(stride_b));
}
}
