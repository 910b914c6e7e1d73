/// All folds of a cross-validation as one batch of linear systems that share a single kernel operator.
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

/// The precision of kernel products in iterative solves with K(x, x) + noise·I: `options.precision`.
/// Precision::automatic becomes mixed if the noise is large enough for single-precision products to converge, and
/// double otherwise.
Precision resolve_precision(const ComputeOptions& options, const KernelProgram& program, ConstView x, double noise);

/// The batch of the systems (M_k K M_k + D) z = M_k b, one per fold k. M_k is the 0/1 mask of the training rows and D
/// the diagonal matrix of the noise variances. Rows are sorted by the fold that validates them (`order`), and every
/// vector of this class has that order. One pass evaluates each pair of points once for all columns of all folds. K z_k
/// at the validation rows of fold k is the prediction of that fold.
class FoldSystem final : public LinearSystem {
 public:
  /// noise: one positive variance per row.   x: n × d, noise: n, both in the caller's order
  FoldSystem(const KernelProgram& program, ConstView x, ConstVectorView noise, const Folds& folds,
             const ComputeOptions& options);

  /// The single system K + D, in which all rows train.
  static FoldSystem whole(const KernelProgram& program, ConstView x, ConstVectorView noise,
                          const ComputeOptions& options);

  Index rows() const override { return static_cast<Index>(order_.size()); }
  Index systems() const override { return static_cast<Index>(training_.size()); }

  /// The caller's row of every internal row: internal row i is row order()[i] of the caller.
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
  FoldParts parts() const { return {program_, x_, noise_, training_, communicator(), options_.stop}; }
  const Space* space(Arithmetic arithmetic) const override;

  void apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const override;
  /// K v for masked columns v; at the validation rows of fold k these are its predictions.
  void predict(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const;
  /// K v over all rows, for any v.
  void multiply(ConstView v, View y, Arithmetic arithmetic) const;
  /// (∂K/∂log θ_i) v, parameter by parameter, over all rows.   v: n × r, j: n × (p·r)
  void derivatives(ConstView v, View j, Arithmetic arithmetic) const;
  /// Σ_c u_cᵀ (∂K/∂log θ_i) v_c over all rows.
  Vector contract(ConstView u, ConstView v, Arithmetic arithmetic) const;
  /// The operator K over the rows that train in some fold.
  const BackendOperator& kernel(Arithmetic arithmetic) const;
  /// The ranks that share the products; null: none.
  const Communicator* communicator() const { return options_.communicator.get(); }
  bool has_fast_arithmetic() const override { return options_.precision != Precision::double_; }

 private:
  FoldSystem(const KernelProgram& program, Matrix x, Vector noise, std::vector<Index> order,
             std::vector<std::vector<char>> training, const ComputeOptions& options);
  /// Sets trained_first_ and trained_count_ so that these rows contain every training row; with several folds these are
  /// all rows.
  void find_trained_rows();
  std::unique_ptr<BackendOperator> make_kernel(Precision precision) const;
  /// Calls `work` with K over all rows, which is created for this call if kernel() has fewer rows.
  template <class Work>
  void with_all_rows(Arithmetic arithmetic, const Work& work) const;
  /// K v. With several folds a single column is padded by a zero column: a backend may round a single column
  /// differently from one of several, and then the last column of a batch would depend on which folds share the batch.
  void pad_columns(const BackendOperator& k, ConstView v, View y, std::vector<ZeroRows> zeros = {}) const;
  std::vector<ZeroRows> zero_rows(std::span<const int> system, bool unwanted) const;

  KernelProgram program_;
  ComputeOptions options_;
  Matrix x_;      ///< n × d, internal order
  Vector noise_;  ///< n, internal order
  std::vector<Index> order_;
  std::vector<std::vector<char>> training_;  ///< by fold: 1 for a training row
  Index trained_first_ = 0, trained_count_ = 0;
  std::unique_ptr<BackendOperator> fast_;           ///< K over the trained rows
  mutable std::unique_ptr<BackendOperator> exact_;  ///< created on first use, like the spaces below
  mutable std::unique_ptr<Space> fast_space_, exact_space_;
  struct Flags {
    std::once_flag exact, fast_space, exact_space;
  };
  mutable std::unique_ptr<Flags> made_ = std::make_unique<Flags>();
};

}  // namespace gpcv
