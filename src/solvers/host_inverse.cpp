#include "solvers/host_inverse.hpp"

#include "solvers/blas.hpp"

namespace gpcv {

Vector HostBlock::inverse_diagonal() const {
  // diag M⁻¹ = column sums of squares of L⁻¹
  return factor_.half_solve(Matrix::Identity(factor_.size(), factor_.size())).colwise().squaredNorm();
}

Matrix HostInverse::times(ConstView v) const {
  Matrix out(inverse_.rows(), v.cols());
  multiply(1, inverse_, false, v, false, 0, out, threads_);
  return out;
}

Matrix HostInverse::rows_times(const std::vector<Index>& rows, ConstView v) const {
  const Matrix across = inverse_(Eigen::all, rows);
  Matrix out(across.cols(), v.cols());
  multiply(1, across, true, v, false, 0, out, threads_);
  return out;
}

Matrix HostInverse::columns_times(const std::vector<Index>& rows, ConstView r) const {
  return inverse_(Eigen::all, rows) * r;
}

std::unique_ptr<BlockFactor> HostInverse::block_factor(const std::vector<Index>& rows) const {
  return std::make_unique<HostBlock>(Cholesky(inverse_(rows, rows), threads_));
}

}  // namespace gpcv
