/// K(X1, X2; θ) as a linear operator that is never stored.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/export.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Rows [first_row, last_row) of v are zero in the columns [first_column, last_column): a backend may skip them.
struct ZeroRows {
  Index first_row = 0, last_row = 0;
  Index first_column = 0, last_column = 0;
  bool unwanted = false;  ///< nobody looks at these rows of y either: a backend may leave anything finite there
};

class DeviceStorage;

/// The public half checks shapes; a backend overrides only the private half.
class GPCV_EXPORT KernelOperator {
 public:
  virtual ~KernelOperator() = default;

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  /// p = dim θ.
  Index parameters() const { return parameters_; }

  /// y = K v.   v: cols × r, y: rows × r
  void apply(ConstView v, View y, std::span<const ZeroRows> zeros = {}) const;
  /// j = [∂K/∂log θ_1 v, …, ∂K/∂log θ_p v], all in one pass.   v: cols × r, j: rows × (p·r), θ-major
  void derivatives(ConstView v, View j) const;
  /// g_i = Σ_c u_cᵀ (∂K/∂log θ_i) v_c, all in one pass.   u: rows × r, v: cols × r, g: p
  void contract(ConstView u, ConstView v, VectorView g) const;

  /// Where a backend has a memory of its own: what it keeps there of the square system K + noise, masked fold by fold
  /// (training: 1 where a row trains). Null elsewhere. It refers to this operator.
  virtual std::unique_ptr<DeviceStorage> device_storage(const Vector& noise,
                                                        const std::vector<std::vector<char>>& training) const;

 protected:
  KernelOperator(Index rows, Index cols, Index parameters) : rows_(rows), cols_(cols), parameters_(parameters) {}

 private:
  virtual void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const = 0;
  virtual void derivatives_impl(ConstView v, View j) const = 0;
  virtual void contract_impl(ConstView u, ConstView v, VectorView g) const = 0;

  Index rows_, cols_, parameters_;
};

/// K(X1, X2) for a kernel program; X1: rows × d, X2: cols × d. Throws InputError on NaN or
/// infinite inputs or parameters, NotCompiled for a backend this build lacks.
GPCV_EXPORT std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x1, ConstView x2,
                                                          const ComputeOptions& options);
/// K(X, X): a backend may use its symmetry.
GPCV_EXPORT std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x,
                                                          const ComputeOptions& options);

/// The instruction set that kernel products run on, as "AVX-512" or "SSE4".
GPCV_EXPORT std::string instruction_set();

/// CUDA devices, one line each, the first of which is used; or the one line that says why there is none to use.
GPCV_EXPORT std::vector<std::string> accelerators();

/// Backends compiled into this build, best first.
GPCV_EXPORT std::vector<std::string> compiled_backends();
/// The backend "auto" stands for: cuda where there is a device to use, though small products stay on the processor.
/// Throws InputError for cuda where there is none, NotCompiled for a name this build does not know.
GPCV_EXPORT std::string resolve_backend(std::string_view name);

}  // namespace gpcv
