/// Kernel matrix K(X1, X2; θ) as a matrix-free linear operator.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/export.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Linear operator K with its derivatives. Each product throws InputError when the shapes do not agree.
class GPCV_EXPORT KernelOperator {
 public:
  virtual ~KernelOperator() = default;

  /// Number of rows of K.
  virtual Index rows() const = 0;
  /// Number of columns of K.
  virtual Index cols() const = 0;
  /// Number p of free parameters.
  virtual Index parameters() const = 0;

  /// Product y = K v.   v: cols × r, y: rows × r
  virtual void apply(ConstView v, View y) const = 0;
  /// Derivatives j = [∂K/∂log θ_1 v, …, ∂K/∂log θ_p v] in one pass.   v: cols × r, j: rows × (p·r), θ-major
  virtual void derivatives(ConstView v, View j) const = 0;
  /// Contractions g_i = Σ_c u_cᵀ (∂K/∂log θ_i) v_c in one pass.   u: rows × r, v: cols × r, g: p
  virtual void contract(ConstView u, ConstView v, VectorView g) const = 0;
};

/// Operator K(X1, X2) of a kernel program; X1: rows × d, X2: cols × d. Throws InputError for NaN or infinite inputs or
/// parameters, NotCompiled for a backend that this build does not contain.
GPCV_EXPORT std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x1, ConstView x2,
                                                          const ComputeOptions& options);
/// Operator K(X, X); a backend may use its symmetry.
GPCV_EXPORT std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x,
                                                          const ComputeOptions& options);

/// Instruction set of kernel products, for example "AVX-512" or "SSE4".
GPCV_EXPORT std::string instruction_set();

/// CUDA devices, one line each; the first one is used. Without a usable device one line gives the reason.
GPCV_EXPORT std::vector<std::string> accelerators();

/// Backends compiled into this build, best first.
GPCV_EXPORT std::vector<std::string> compiled_backends();
/// Backend of a name; "auto" means cuda where there is a usable device, although small products stay on the processor.
/// Throws InputError for cuda without a device, NotCompiled for a name that this build does not know.
GPCV_EXPORT std::string resolve_backend(std::string_view name);

}  // namespace gpcv
