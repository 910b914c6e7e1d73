/// A batch of symmetric positive definite systems of one size that share the cost of a product.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gpcv/types.hpp"
#include "operators/space.hpp"

namespace gpcv {

/// `fast` is the working precision, which may be single; `exact` is double.
enum class Arithmetic { fast, exact };

/// An approximation of the inverses, symmetric positive definite.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// z_c ≈ A_{system[c]}⁻¹ r_c
  virtual void apply(ConstView r, std::span<const int> system, View z) const = 0;
  /// The factor it consists of, which a space may apply to its own vectors; null where there is none.
  virtual std::shared_ptr<const LowRankFactor> factor() const { return nullptr; }
};

/// The vectors r, z, p, q of one run of conjugate gradients, wherever they live. Numbers for columns come and go in the
/// order of the batch, which `keep` makes shorter.
class CgVectors {
 public:
  virtual ~CgVectors() = default;
  /// r = the given, z = M r, p = z; returns rᵀz. Column c of the batch is a correction of column `target[c]` of x.
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
  /// These columns stay, ascending.
  virtual void keep(const std::vector<Index>& columns) = 0;
  /// x is complete from now on.
  virtual void finish() = 0;
};

class LinearSystem {
 public:
  virtual ~LinearSystem() = default;
  virtual Index rows() const = 0;
  /// How many different matrices.
  virtual Index systems() const = 0;
  /// y_c = A_{system[c]} v_c.   v, y: rows × c
  virtual void apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const = 0;
  /// Whether `fast` differs from `exact`.
  virtual bool has_fast_arithmetic() const = 0;
  /// The space of its products; null where that is the host's. Throws OutOfDeviceMemory.
  virtual const Space* space(Arithmetic) const { return nullptr; }
};

}  // namespace gpcv
