/// The division of rows into pieces, and the consecutive pieces that one rank of a communicator stores.
#pragma once

#include <utility>
#include <vector>

#include "gpcv/communicator.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The share of one rank. The pieces depend only on the rows, not on the communicator, so that piecewise computations
/// give the same bits for any number of ranks.
class RowShare {
 public:
  using Range = std::pair<Index, Index>;  ///< [first, last)

  /// Each run of rows is divided into equal pieces of at most most_rows; the runs are consecutive and start at row 0.
  RowShare(const std::vector<Range>& runs, Index most_rows, const Communicator* communicator);

  /// The ranks that share the rows; null: none.
  const Communicator* communicator() const { return communicator_; }
  const std::vector<Range>& pieces() const { return pieces_; }
  /// The pieces [first, last) of this rank.
  const Range& own() const { return own_; }
  Range own_rows() const {
    return rows_of_[static_cast<std::size_t>(communicator_ != nullptr ? communicator_->rank() : 0)];
  }
  Index own_count() const { return own_.second - own_.first; }
  bool owns(Index row) const { return own_rows().first <= row && row < own_rows().second; }
  /// The index, among the pieces of this rank, of the piece that contains this row.
  Index own_piece_of(Index row) const;
  const Range& own_piece(Index k) const { return pieces_[static_cast<std::size_t>(own_.first + k)]; }

  /// Gathers all rows on every rank; each rank has filled its own rows.
  void gather(View rows) const;

 private:
  const Communicator* communicator_;
  std::vector<Range> pieces_;
  Range own_;
  std::vector<Range> rows_of_;  ///< by rank
};

}  // namespace gpcv
