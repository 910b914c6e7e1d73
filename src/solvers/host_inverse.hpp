/// The inverse of a covariance matrix in the memory of the host.
#pragma once

#include "gpcv/solver.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv {

/// A block of an inverse on the host.
class HostBlock final : public BlockFactor {
 public:
  explicit HostBlock(Cholesky factor) : factor_(std::move(factor)) {}
  double jitter() const override { return factor_.jitter(); }
  Matrix solve(ConstView b) const override { return factor_.solve(b); }
  Vector inverse_diagonal() const override;

 private:
  Cholesky factor_;
};

class HostInverse final : public DenseInverse {
 public:
  HostInverse(Cholesky factor, int threads)
      : jitter_(factor.jitter()), inverse_(std::move(factor).take_inverse()), threads_(threads) {}

  double jitter() const override { return jitter_; }
  Matrix times(ConstView v) const override;
  Matrix rows_times(const std::vector<Index>& rows, ConstView v) const override;
  Matrix columns_times(const std::vector<Index>& rows, ConstView r) const override;
  Matrix block(const std::vector<Index>& rows) const override { return inverse_(rows, rows); }
  std::unique_ptr<BlockFactor> block_factor(const std::vector<Index>& rows) const override;

 private:
  double jitter_;
  Matrix inverse_;
  int threads_;
};

}  // namespace gpcv
