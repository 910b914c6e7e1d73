/// A low-rank factor of the kernel matrix in the memory of the host, or of the hosts of a communicator.
#pragma once

#include <optional>

#include "gpcv/solver.hpp"
#include "operators/space.hpp"
#include "solvers/preconditioner/factor_product.hpp"
#include "solvers/preconditioner/local_inverse.hpp"
#include "solvers/preconditioner/row_share.hpp"

namespace gpcv {

/// The factor distributed over the ranks: each rank has some rows of F and the small factors of some folds. Sums over
/// rows are exact, so that results are bit-identical for any number of ranks. A block of columns communicates the
/// pivots' rows of F and one square per row; an application communicates `rank` numbers per column, twice, and the
/// result.
class HostFactor final : public LowRankFactor {
 public:
  /// The data to which the parts refer outlive the factor; the parts' communicator shares it. most: the largest number
  /// of columns of F.
  HostFactor(const FoldParts& parts, Index most, int threads);

  Index rank() const override { return done_; }
  Matrix residual_columns(const std::vector<Index>& pivots) override;
  Vector append(const std::vector<Index>& kept, const Matrix& l) override;
  /// With neighbours, E = K − F Fᵀ + D takes the place of D in Woodbury's formula, with an approximate inverse.
  void complete(Index neighbours) override;
  void apply(ConstView r, std::span<const int> system, View z) const override;
  /// The rows of F on this rank.
  Matrix own_rows() const;

 private:
  /// Stores F by rows, in single precision where the noise is far above its rounding: that halves the memory which
  /// every application reads.
  void store_rows();
  /// Calls work(rows) with the stored rows of a piece.
  template <class Work>
  void with_rows(std::size_t piece, const Work& work) const;
  /// Calls work(piece, first row, rows) for every piece of this rank, in parallel.
  template <class Work>
  void each_piece(const Work& work) const;
  /// The given rows of a matrix that is stored in pieces, on all ranks.
  Matrix rows_at(const std::vector<Matrix>& pieces, const std::vector<Index>& rows, Index columns) const;
  bool trains(std::size_t fold, Index row) const { return parts_.training[fold][static_cast<std::size_t>(row)] != 0; }
  bool trained_alike(Index a, Index b) const;
  /// Fᵀ, rank × n, on all ranks.
  Matrix all_rows() const;
  /// Fᵀ D⁻¹ F over the training rows of every fold, valid on the rank that factorises this fold.
  std::vector<Matrix> gram_matrices() const;
  /// Fᵀ E⁻¹ F likewise.
  std::vector<Matrix> local_gram_matrices(const Matrix& f) const;
  /// Sums a matrix of the fold over all ranks, on the rank that factorises this fold.
  void sum_to_owner(std::size_t fold, Matrix& matrix) const;
  /// D⁻¹ r, or approximately E⁻¹ r; zero outside the training rows because r is.
  void apply_inverse(ConstView r, std::span<const int> system, View z) const;
  /// S_k⁻¹ Fᵀ z, on all ranks.
  Matrix small_solution(ConstView z, std::span<const int> system) const;
  void factorise(std::vector<Matrix> s);
  /// t_c = S_k⁻¹ t_c with the fold k of column c, each on the rank that has the factor of S_k.
  void solve_small(std::span<const int> system, Matrix& t) const;
  int owner_of(std::size_t fold) const;
  bool keeps(std::size_t fold) const;

  FoldParts parts_;
  RowShare share_;
  int threads_;
  double largest_ = 0;            ///< bound on |F|
  double weighted_diagonal_ = 0;  ///< Σ_a K_aa / D_a
  Index done_ = 0;
  std::vector<Matrix> factor_;  ///< F, by the pieces of this rank, until it is complete
  std::vector<Matrix> rows_;    ///< Fᵀ once it is complete, padded; empty where the next one is not
  std::vector<Eigen::MatrixXf> single_rows_;
  bool in_single_ = false;
  std::vector<Matrix> columns_;                 ///< G
  std::vector<std::optional<Cholesky>> small_;  ///< S_k of the folds of this rank
  std::optional<LocalInverse> local_;
};

}  // namespace gpcv
