/// What a backend with a memory of its own keeps there of a fold system, so that only numbers per column travel.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/kernel_program.hpp"
#include "operators/linear_system.hpp"

namespace gpcv {

/// What lives on a device needs more memory than it has: smaller blocks or the host may do.
class OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// F with K ≈ F Fᵀ, and Woodbury's formula on it, one small matrix per fold. Making it may throw OutOfDeviceMemory.
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
};

/// Rows that train in the same folds, as runs [first, last) of no more than `most`.
std::vector<std::pair<Index, Index>> equal_runs(const std::vector<std::vector<char>>& training, Index rows, Index most);

class DeviceStorage {
 public:
  virtual ~DeviceStorage() = default;
  /// An empty F with room for so many columns; null where there is no room.
  virtual std::unique_ptr<LowRankFactor> low_rank(const FoldParts& parts, Index most) const = 0;
  /// `factor`: of this kind of device_storage, or null. Null where there is no room for so many columns.
  virtual std::unique_ptr<CgVectors> vectors(const LowRankFactor* factor, Index columns) const = 0;
  /// Whether `factor` is kept here.
  virtual bool holds(const LowRankFactor* factor) const = 0;
};

}  // namespace gpcv
