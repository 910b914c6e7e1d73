/// A batch of symmetric positive definite systems of one size that share the cost of a product.
#pragma once

#include <span>

#include "gpcv/types.hpp"

namespace gpcv {

/// `fast` is the working precision, which may be single; `exact` is double.
enum class Arithmetic { fast, exact };

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
};

/// An approximation of the inverses, symmetric positive definite.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// z_c ≈ A_{system[c]}⁻¹ r_c
  virtual void apply(ConstView r, std::span<const int> system, View z) const = 0;
};

}  // namespace gpcv
