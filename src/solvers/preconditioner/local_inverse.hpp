/// A sparse approximate inverse of what a low-rank factor leaves of the matrix of every fold.
#pragma once

#include <span>
#include <vector>

#include "operators/space.hpp"
#include "solvers/preconditioner/earlier_neighbours.hpp"

namespace gpcv {

/// G_k with G_kᵀ G_k ≈ E_k⁻¹, where E_k is E = K − F Fᵀ + D at the training rows of fold k. Row i of G_k has the
/// neighbours of i among the earlier rows and i itself, a set s with its last member i:
///     L Lᵀ = E_ss,   G_is = e_iᵀ L⁻¹.
/// This is the factorised sparse approximate inverse: of all G with these entries it minimises the Kaporin number of
/// G E Gᵀ, whose diagonal is 1.
class LocalInverse {
 public:
  /// The ranks of the share divide the rows. The share outlives this object.   f: rank × n, the rows of F
  LocalInverse(const FoldParts& parts, const RowShare& share, EarlierNeighbours near, const Matrix& f, int threads);

  /// z_c = G_kᵀ G_k r_c with the fold k of column c; columns of one fold are adjacent, and z may be r.
  void apply(ConstView r, std::span<const int> system, View z) const;
  /// The rows [first, first + count) of G_k F.   f: as above
  Matrix times(std::size_t fold, const Matrix& f, Index first, Index count) const;
  /// The largest number of rows of G in which a row takes part.
  Index most_uses() const { return most_uses_; }

 private:
  Index width() const { return near_.width + 1; }
  /// The entries of row i of every G_k.
  void find_row(const FoldParts& parts, const Matrix& f, Index row);
  void gather_values(Index n);
  void find_uses(Index n);
  /// Calls work(first, last) for pieces of this rank's rows, in parallel.
  template <class Work>
  void each_piece(const Work& work) const;

  const RowShare& share_;
  EarlierNeighbours near_;
  int threads_;
  /// G of every fold, n × width, row by row; the diagonal entry is the last. Single precision halves the memory, and
  /// GᵀG stays symmetric and positive.
  std::vector<std::vector<float>> values_;
  std::vector<std::int64_t> first_use_, uses_;  ///< by column of G: the places of its entries
  Index most_uses_ = 0;
};

}  // namespace gpcv
