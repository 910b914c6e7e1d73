/// Every fold of a cross-validation as one batch of linear systems over a single kernel operator.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gpcv/communicator.hpp"
#include "gpcv/folds.hpp"
#include "operators/backend_operator.hpp"
#include "operators/linear_system.hpp"

namespace gpcv {

/// The precision of kernel products in iterative solves with K(x, x) + noise·I: `options.precision`, and for
/// Precision::automatic mixed where the noise is large enough for single-precision products to be of use, else double.
Precision resolve_precision(const ComputeOptions& options, const KernelProgram& program, ConstView x, double noise);

/// Fold k is the system (M_k K M_k + D) z = M_k b, M_k the 0/1 mask of its training rows and D the noise of each
/// point. Rows are kept sorted by the fold that validates them (`order`), and every vector here is in that order.
/// One pass evaluates each pair of points once for all columns of all folds, and K z_k at the rows that fold k
/// validates is its prediction.
class FoldSystem final : public LinearSystem {
 public:
  /// noise: one variance per row, all positive.   x: n × d, noise: n, both in the caller's order
  FoldSystem(const KernelProgram& program, ConstView x, ConstVectorView noise, const Folds& folds,
             const ComputeOptions& options);

  /// All rows train: the one system K + D.
  static FoldSystem whole(const KernelProgram& program, ConstView x, ConstVectorView noise,
                          const ComputeOptions& options);

  Index rows() const override { return static_cast<Index>(order_.size()); }
  Index systems() const override { return static_cast<Index>(training_.size()); }

  /// Internal row i is row order()[i] of the caller.
  std::span<const Index> order() const { return order_; }
  Matrix sorted(ConstView caller_rows) const;
  Matrix unsorted(ConstView internal_rows) const;

  bool trains(Index fold, Index row) const {
    return training_[static_cast<std::size_t>(fold)][static_cast<std::size_t>(row)] != 0;
  }
  /// M_k v
  void mask(View v, std::span<const int> system) const;
  const Vector& noise() const { return noise_; }
  const Matrix& points() const { return x_; }
  const KernelProgram& program() const { return program_; }
  FoldParts parts() const { return {program_, x_, noise_, training_, communicator()}; }
  const Space* space(Arithmetic arithmetic) const override;

  void apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const override;
  /// K v for masked columns v: at the rows fold k validates, its predictions.
  void predict(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const;
  /// K v over all rows, for any v.
  void multiply(ConstView v, View y, Arithmetic arithmetic) const;
  /// (∂K/∂log θ_i) v, parameter by parameter, over all rows.   v: n × r, j: n × (p·r)
  void derivatives(ConstView v, View j, Arithmetic arithmetic) const;
  /// Σ_c u_cᵀ (∂K/∂log θ_i) v_c over all rows.
  Vector contract(ConstView u, ConstView v, Arithmetic arithmetic) const;
  /// K over the rows that train in some fold.
  const BackendOperator& kernel(Arithmetic arithmetic) const;
  /// Whom products are shared with; null: nobody.
  const Communicator* communicator() const { return options_.communicator.get(); }
  bool has_fast_arithmetic() const override { return options_.precision != Precision::double_; }

 private:
  FoldSystem(const KernelProgram& program, Matrix x, Vector noise, std::vector<Index> order,
             std::vector<std::vector<char>> training, const ComputeOptions& options);
  /// Rows [trained_first_, trained_first_ + trained_count_) hold every training row; all rows but for a single fold.
  void find_trained_rows();
  std::unique_ptr<BackendOperator> make_kernel(Precision precision) const;
  /// Calls `work` with K over all rows, made for the call where kernel() has fewer.
  template <class Work>
  void with_all_rows(Arithmetic arithmetic, const Work& work) const;
  /// K v. A column alone takes a zero with it where there are several folds: a backend may round it otherwise than one
  /// of several, and the last column of a batch would depend on which folds share it.
  void pad_columns(const BackendOperator& k, ConstView v, View y, std::vector<ZeroRows> zeros = {}) const;
  std::vector<ZeroRows> zero_rows(std::span<const int> system, bool unwanted) const;

  KernelProgram program_;
  ComputeOptions options_;
  Matrix x_;      ///< n × d, internal order
  Vector noise_;  ///< n, internal order
  std::vector<Index> order_;
  std::vector<std::vector<char>> training_;  ///< by fold: 1 where the row trains
  Index trained_first_ = 0, trained_count_ = 0;
  std::unique_ptr<BackendOperator> fast_;           ///< K over the trained rows
  mutable std::unique_ptr<BackendOperator> exact_;  ///< made when first needed, like the others below
  mutable std::unique_ptr<Space> fast_space_, exact_space_;
  struct Flags {
    std::once_flag exact, fast_space, exact_space;
  };
  mutable std::unique_ptr<Flags> made_ = std::make_unique<Flags>();
};

}  // namespace gpcv
