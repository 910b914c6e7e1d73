/// A batch of symmetric positive definite systems of equal size that share the cost of one product.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gpcv/types.hpp"
#include "operators/space.hpp"

namespace gpcv {

/// The precision of a product: `fast` is the working precision, which may be single; `exact` is double.
enum class Arithmetic { fast, exact };

/// A symmetric positive definite approximation of the inverses.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// z_c ≈ A_{system[c]}⁻¹ r_c
  virtual void apply(ConstView r, std::span<const int> system, View z) const = 0;
  /// The low-rank factor of the preconditioner, which a space may apply to its own vectors; null if there is none.
  virtual std::shared_ptr<const LowRankFactor> factor() const { return nullptr; }
};

/// The vectors r, z, p, q of one run of conjugate gradients, in the memory of their space. Values per column are passed
/// in the order of the batch, which `keep` shortens.
class CgVectors {
 public:
  virtual ~CgVectors() = default;
  /// Sets r to the given columns, z = M r and p = z; returns rᵀz. Column c of the batch is a correction of column
  /// `target[c]` of x.
  virtual Vector start(ConstView r, std::span<const int> system, View x, std::span<const Index> target) = 0;
  /// q = A p; returns pᵀq.
  virtual Vector multiply() = 0;
  struct Norms {
    Vector r, p;
  };
  /// x += α p, r −= α q; returns ‖r‖² and ‖p‖².
  virtual Norms advance(const Vector& alpha) = 0;
  /// z = M r; returns rᵀz.
  virtual Vector precondition() = 0;
  /// p = z + β p
  virtual void turn(const Vector& beta) = 0;
  /// Keeps these columns (ascending) in the batch and removes the others.
  virtual void keep(const std::vector<Index>& columns) = 0;
  /// Writes the remaining corrections to x, which is complete afterwards.
  virtual void finish() = 0;
};

class LinearSystem {
 public:
  virtual ~LinearSystem() = default;
  virtual Index rows() const = 0;
  /// The number of different matrices.
  virtual Index systems() const = 0;
  /// y_c = A_{system[c]} v_c.   v, y: rows × c
  virtual void apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const = 0;
  /// Whether `fast` differs from `exact`.
  virtual bool has_fast_arithmetic() const = 0;
  /// The memory space of the products; null if they are computed on the host. Throws OutOfDeviceMemory.
  virtual const Space* space(Arithmetic) const { return nullptr; }
};

}  // namespace gpcv
