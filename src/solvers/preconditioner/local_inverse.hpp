/// A sparse approximate inverse of what a low-rank factor leaves of the matrix of every fold.
#pragma once

#include <span>
#include <vector>

#include "operators/space.hpp"
#include "solvers/preconditioner/earlier_neighbours.hpp"
#include "solvers/preconditioner/sparse_product.hpp"

namespace gpcv {

/// G_k with G_kᵀ G_k ≈ E_k⁻¹, where E_k is E = K − F Fᵀ + D at the training rows of fold k. Row i of G_k has the
/// neighbours of i among the earlier rows and i itself, a set s with its last member i:
///     L Lᵀ = E_ss,   G_is = e_iᵀ L⁻¹.
/// This is the factorised sparse approximate inverse: of all G with these entries it minimises the Kaporin number of
/// G E Gᵀ, whose diagonal is 1.
class LocalInverse {
 public:
  /// The ranks of the share divide the rows. The share outlives this object.   f: rank × n, the rows of F
  LocalInverse(const FoldParts& parts, const RowShare& share, const EarlierNeighbours& near, const Matrix& f,
               int threads);

  /// z_c = G_kᵀ G_k r_c with the fold k of column c; columns of one fold are adjacent, and z may be r.
  void apply(ConstView r, std::span<const int> system, View z) const;
  /// The rows [first, first + count) of G_k F.   f: as above
  Matrix times(std::size_t fold, const Matrix& f, Index first, Index count) const;
  /// The largest number of rows of G in which a row takes part.
  Index most_uses() const { return most_uses_; }

 private:
  /// A sparse matrix of each fold with the same places: the entries of row i are first[i] … first[i + 1].
  struct Entries {
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> columns;
    /// By fold. Single precision halves the memory, and GᵀG stays symmetric and positive.
    std::vector<std::vector<float>> values;

    SparseRow row(std::size_t fold, Index i) const;
  };

  /// The places of the entries of G: the neighbours of a row in ascending order, then the row itself.
  void place_entries(const EarlierNeighbours& near);
  /// The entries of row i of every G_k.
  void find_row(const FoldParts& parts, const Matrix& f, Index row);
  void gather_values();
  void transpose();
  /// Product of this rank's rows of every fold with its columns.   v: columns × n
  void multiply(const Entries& entries, const Matrix& v, std::span<const int> system, View out) const;
  /// Calls work(first, last) for pieces of this rank's rows, in parallel.
  template <class Work>
  void each_piece(const Work& work) const;

  const RowShare& share_;
  int threads_;
  Entries rows_, columns_;  ///< of G and of Gᵀ
  Index most_uses_ = 0;
};

}  // namespace gpcv
