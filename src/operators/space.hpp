/// The memory space in which the products of a system are computed and its vectors and preconditioner are stored.
#pragma once

#include <functional>
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

/// The error of a device whose memory is too small: a caller may retry with smaller blocks or on the host.
class OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// The factor F with K ≈ F Fᵀ, and Woodbury's formula with one small matrix per fold. All functions but rank() may
/// throw OutOfDeviceMemory.
/// (F_k F_kᵀ + D)⁻¹ = D⁻¹ − D⁻¹ F_k S_k⁻¹ F_kᵀ D⁻¹,   S_k = I + F_kᵀ D⁻¹ F_k,   F_k = M_k F.
class LowRankFactor {
 public:
  virtual ~LowRankFactor() = default;
  virtual Index rank() const = 0;
  /// Computes G = K(:, S) − F F(S, :)ᵀ and stores it for `append`; returns G(S, :).
  virtual Matrix residual_columns(const std::vector<Index>& pivots) = 0;
  /// Appends columns: F = [F, G(:, kept) L⁻ᵀ]; returns the squared norm of every row of the new columns.   l: lower
  /// triangle
  virtual Vector append(const std::vector<Index>& kept, const Matrix& l) = 0;
  /// Ends the construction of F and factorises S_k of every fold. A factor on the host takes account of what F leaves
  /// of K by as many neighbours of every row; others, and 0, take none.
  virtual void complete(Index neighbours) = 0;
  /// z_c = (F_k F_kᵀ + D)⁻¹ r_c
  virtual void apply(ConstView r, std::span<const int> system, View z) const = 0;
};

/// The parts of a fold system.
struct FoldParts {
  const KernelProgram& program;
  const Matrix& x;
  const Vector& noise;
  const std::vector<std::vector<char>>& training;  ///< by fold: 1 for a training row
  const Communicator* communicator = nullptr;      ///< the ranks that share the products; null: none
  std::function<bool()> stop = {};                 ///< asked while a factor is built; true ends that with Interrupted
};

/// Runs [first, last) of at most `most` consecutive rows that train in the same folds.
std::vector<std::pair<Index, Index>> equal_runs(const std::vector<std::vector<char>>& training, Index rows, Index most);

/// The memory space of products: the host's (HostSpace) or a device's, which the backend implements. During a solve
/// only scalars per column leave the space.
class Space {
 public:
  virtual ~Space() = default;
  /// An empty factor F with room for `most` columns; null if this space makes none. The parts outlive the factor.
  /// Throws OutOfDeviceMemory.
  virtual std::unique_ptr<LowRankFactor> low_rank(const FoldParts& parts, Index most) const = 0;
  /// The vectors of conjugate gradients for this many columns; null if the preconditioner lives in another space.
  /// Throws OutOfDeviceMemory.   preconditioner: may be null
  virtual std::unique_ptr<CgVectors> vectors(const Preconditioner* preconditioner, Index columns) const = 0;
};

}  // namespace gpcv
