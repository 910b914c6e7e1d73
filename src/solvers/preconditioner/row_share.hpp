/// Rows cut into pieces, and the stretch of pieces that this rank of a communicator keeps.
#pragma once

#include <utility>
#include <vector>

#include "gpcv/communicator.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The pieces depend on the rows alone, not on the communicator: what is computed piece by piece has the same bits for
/// any number of ranks.
class RowShare {
 public:
  using Range = std::pair<Index, Index>;  ///< [first, last)

  /// Every run of rows is cut into equal pieces of at most so many; runs follow one another from row 0.
  RowShare(const std::vector<Range>& runs, Index most_rows, const Communicator* communicator);

  /// Null where there is nobody to share with.
  const Communicator* communicator() const { return communicator_; }
  const std::vector<Range>& pieces() const { return pieces_; }
  /// Pieces [first, last) of this rank, and the rows they cover.
  const Range& own() const { return own_; }
  Range own_rows() const {
    return rows_of_[static_cast<std::size_t>(communicator_ != nullptr ? communicator_->rank() : 0)];
  }
  Index own_count() const { return own_.second - own_.first; }
  bool owns(Index row) const { return own_rows().first <= row && row < own_rows().second; }
  /// Among the own pieces, the one with this row.
  Index own_piece_of(Index row) const;
  const Range& own_piece(Index k) const { return pieces_[static_cast<std::size_t>(own_.first + k)]; }

  /// Each rank has filled its own rows; everybody gets all of them.
  void gather(View rows) const;

 private:
  const Communicator* communicator_;
  std::vector<Range> pieces_;
  Range own_;
  std::vector<Range> rows_of_;  ///< by rank
};

}  // namespace gpcv
