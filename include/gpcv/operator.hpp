/// K(X1, X2; θ) as a linear operator that is never stored.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Products with K and its derivatives. Each throws InputError where the shapes do not agree.
class KernelOperator {
 public:
  virtual ~KernelOperator() = default;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  /// p = dim θ.
  virtual Index parameters() const = 0;

  /// y = K v.   v: cols × r, y: rows × r
  virtual void apply(ConstView v, View y) const = 0;
  /// j = [∂K/∂log θ_1 v, …, ∂K/∂log θ_p v], all in one pass.   v: cols × r, j: rows × (p·r), θ-major
  virtual void derivatives(ConstView v, View j) const = 0;
  /// g_i = Σ_c u_cᵀ (∂K/∂log θ_i) v_c, all in one pass.   u: rows × r, v: cols × r, g: p
  virtual void contract(ConstView u, ConstView v, VectorView g) const = 0;
};

/// K(X1, X2) for a kernel program; X1: rows × d, X2: cols × d. Throws InputError on NaN or
/// infinite inputs or parameters, NotCompiled for a backend this build lacks.
std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x1, ConstView x2,
                                              const ComputeOptions& options);
/// K(X, X): a backend may use its symmetry.
std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x, const ComputeOptions& options);

/// The instruction set that kernel products run on, as "AVX-512" or "SSE4".
std::string instruction_set();

/// CUDA devices, one line each, the first of which is used; or the one line that says why there is none to use.
std::vector<std::string> accelerators();

/// Backends compiled into this build, best first.
std::vector<std::string> compiled_backends();
/// The backend "auto" stands for: cuda where there is a device to use, though small products stay on the processor.
/// Throws InputError for cuda where there is none, NotCompiled for a name this build does not know.
std::string resolve_backend(std::string_view name);

}  // namespace gpcv
