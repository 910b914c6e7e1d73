/// Products on a regular grid: with one input and a kernel of the difference x − x', K is a Toeplitz matrix with rows
/// and columns left out, and fast Fourier transforms multiply by it in O(n log n).
#pragma once

#include <complex>
#include <memory>

#include "backends/grid/lattice.hpp"
#include "gpcv/kernel_program.hpp"
#include "operators/backend_operator.hpp"

namespace gpcv {

using ComplexVector = Eigen::VectorXcd;

class GridOperator final : public BackendOperator {
 public:
  /// The operator, or null if the points share no grid or the kernel does not depend on x − x' alone.
  static std::unique_ptr<GridOperator> make(const KernelProgram& program, ConstView x1, ConstView x2);

 private:
  GridOperator(const KernelProgram& program, Index rows, Index cols, Lattice lattice);

  void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const override;
  void derivatives_impl(ConstView v, View j) const override;
  void contract_impl(ConstView u, ConstView v, VectorView g) const override;

  /// y = T v for the Toeplitz matrix with this spectrum, two columns at a time.
  void convolve(const ComplexVector& spectrum, ConstView v, View y) const;
  ComplexVector spectrum_of(ConstVectorView values) const;
  /// ∂k/∂log θ_t at every difference, one column per parameter.
  Matrix derivative_values() const;

  Lattice lattice_;
  Index size_;                                    ///< length of the transforms
  std::unique_ptr<BackendOperator> differences_;  ///< k at every difference of places, against the point 0
  ComplexVector spectrum_;                        ///< transform of the kernel's values
};

}  // namespace gpcv
