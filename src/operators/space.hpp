/// The space where a system's products are made, and where its vectors and preconditioner therefore live.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

class CgVectors;
class Preconditioner;

/// What lives on a device needs more memory than it has: smaller blocks or the host may do.
class OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// F with K ≈ F Fᵀ, and Woodbury's formula on it, one small matrix per fold. All but rank() may throw
/// OutOfDeviceMemory.
/// (F_k F_kᵀ + D)⁻¹ = D⁻¹ − D⁻¹ F_k S_k⁻¹ F_kᵀ D⁻¹,   S_k = I + F_kᵀ D⁻¹ F_k,   F_k = M_k F.
class LowRankFactor {
 public:
  virtual ~LowRankFactor() = default;
  virtual Index rank() const = 0;
  /// G = K(:, S) − F F(S, :)ᵀ, kept for `append`; returns G(S, :).
  virtual Matrix residual_columns(const std::vector<Index>& pivots) = 0;
  /// F = [F, G(:, kept) L⁻ᵀ]; returns ‖·‖² of every row of what was added.   l: lower triangle
  virtual Vector append(const std::vector<Index>& kept, const Matrix& l) = 0;
  /// F is complete: factorises S_k of every fold.
  virtual void complete() = 0;
  /// z_c = (F_k F_kᵀ + D)⁻¹ r_c
  virtual void apply(ConstView r, std::span<const int> system, View z) const = 0;
};

/// A fold system as its parts.
struct FoldParts {
  const KernelProgram& program;
  const Matrix& x;
  const Vector& noise;
  const std::vector<std::vector<char>>& training;  ///< by fold: 1 where the row trains
  const Communicator* communicator = nullptr;      ///< whom products are shared with; null: nobody
};

/// Rows that train in the same folds, as runs [first, last) of no more than `most`.
std::vector<std::pair<Index, Index>> equal_runs(const std::vector<std::vector<char>>& training, Index rows, Index most);

/// A memory beside which products are made: the host's (HostSpace), or a device's, which its backend implements. Only
/// numbers per column leave it during a solve.
class Space {
 public:
  virtual ~Space() = default;
  /// An empty factor F with room for so many columns; null where this space makes none. The parts outlive it. Throws
  /// OutOfDeviceMemory.
  virtual std::unique_ptr<LowRankFactor> low_rank(const FoldParts& parts, Index most) const = 0;
  /// The vectors of conjugate gradients for so many columns; null where the preconditioner lives elsewhere. Throws
  /// OutOfDeviceMemory.   preconditioner: may be null
  virtual std::unique_ptr<CgVectors> vectors(const Preconditioner* preconditioner, Index columns) const = 0;
};

}  // namespace gpcv
