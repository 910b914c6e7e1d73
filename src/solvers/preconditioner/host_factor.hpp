/// A low-rank factor of the kernel matrix in the memory of the host, or of the hosts of a communicator.
#pragma once

#include <optional>

#include "gpcv/solver.hpp"
#include "operators/space.hpp"
#include "solvers/preconditioner/row_share.hpp"

namespace gpcv {

/// Each rank has some rows of F and the small factors of some folds. Sums over rows are exact, so that the number of
/// ranks changes no bit. What travels per block of columns: the pivots' rows of F, and squares per row; per
/// application: rank numbers per column, twice, and the result.
class HostFactor final : public LowRankFactor {
 public:
  /// What the parts refer to outlives it; their communicator shares it. most: columns that F will have at the most.
  HostFactor(const FoldParts& parts, Index most, int threads);

  Index rank() const override { return done_; }
  Matrix residual_columns(const std::vector<Index>& pivots) override;
  Vector append(const std::vector<Index>& kept, const Matrix& l) override;
  void complete() override;
  void apply(ConstView r, std::span<const int> system, View z) const override;
  /// The own rows of F.
  Matrix own_rows() const;

 private:
  /// work(piece, first row, rows) for every own piece, side by side.
  template <class Work>
  void each_piece(const Work& work) const;
  /// Rows of what is kept in pieces, on all ranks.
  Matrix rows_at(const std::vector<Matrix>& pieces, const std::vector<Index>& rows, Index columns) const;
  bool trains(std::size_t fold, Index row) const { return parts_.training[fold][static_cast<std::size_t>(row)] != 0; }
  bool trained_alike(Index a, Index b) const;
  /// The sum of every fold at the rank that factorises it; elsewhere of no use.
  std::vector<Matrix> gram_matrices() const;
  void factorise(std::vector<Matrix> s);
  /// S_k⁻¹ of every column's fold, each by the rank that has it.
  void solve_small(std::span<const int> system, Matrix& t) const;
  int owner_of(std::size_t fold) const;
  bool keeps(std::size_t fold) const;

  FoldParts parts_;
  RowShare share_;
  int threads_;
  double largest_ = 0;            ///< bound of |F|
  double weighted_diagonal_ = 0;  ///< Σ_a K_aa / D_a
  Index done_ = 0;
  std::vector<Matrix> factor_;                  ///< F, by own pieces of rows
  std::vector<Matrix> columns_;                 ///< G
  std::vector<std::optional<Cholesky>> small_;  ///< S_k of the own folds
};

}  // namespace gpcv
