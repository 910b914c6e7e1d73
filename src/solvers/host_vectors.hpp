/// The vectors of conjugate gradients in the memory of the host, for any system and preconditioner.
#pragma once

#include "operators/linear_system.hpp"

namespace gpcv {

class HostVectors final : public CgVectors {
 public:
  /// preconditioner: may be null.
  HostVectors(const LinearSystem& a, const Preconditioner* preconditioner, Arithmetic arithmetic, int threads)
      : a_(a), preconditioner_(preconditioner), arithmetic_(arithmetic), threads_(threads) {}

  Vector start(ConstView r, std::span<const int> system, View x, std::span<const Index> target) override;
  Vector multiply() override;
  Norms advance(const Vector& alpha) override;
  Vector precondition() override;
  void turn(const Vector& beta) override;
  void keep(const std::vector<Index>& columns) override;
  void finish() override {}

 private:
  Index active() const { return static_cast<Index>(system_.size()); }
  Vector dot(const Matrix& a, const Matrix& b) const;

  const LinearSystem& a_;
  const Preconditioner* preconditioner_;
  Arithmetic arithmetic_;
  int threads_;
  std::vector<int> system_;   ///< by position in the batch
  std::vector<Index> place_;  ///< column of x, by position in the batch
  double* x_ = nullptr;
  Index x_stride_ = 0;
  Matrix r_, z_, p_, q_;
};

}  // namespace gpcv
