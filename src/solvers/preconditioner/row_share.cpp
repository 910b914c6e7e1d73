#include "solvers/preconditioner/row_share.hpp"

#include <algorithm>

namespace gpcv {

RowShare::RowShare(const std::vector<Range>& runs, Index most_rows, const Communicator* communicator)
    : communicator_(shared(communicator) ? communicator : nullptr) {
  Index rows = 0;
  for (const auto& [first, last] : runs) {
    const Index parts = (last - first + most_rows - 1) / most_rows;
    for (Index k = 0; k < parts; ++k) {
      pieces_.emplace_back(first + (last - first) * k / parts, first + (last - first) * (k + 1) / parts);
    }
    rows = last;
  }
  const Index ranks = communicator_ != nullptr ? communicator_->size() : 1;
  const Index here = communicator_ != nullptr ? communicator_->rank() : 0;
  rows_of_.assign(static_cast<std::size_t>(ranks), {rows, rows});
  own_ = {static_cast<Index>(pieces_.size()), static_cast<Index>(pieces_.size())};
  for (std::size_t k = pieces_.size(); k-- > 0;) {
    // A piece belongs to the rank whose part of the rows contains its middle.
    const Index middle = (pieces_[k].first + pieces_[k].second) / 2;
    const Index rank = std::min(ranks - 1, middle * ranks / std::max<Index>(1, rows));
    Range& covered = rows_of_[static_cast<std::size_t>(rank)];
    if (covered.first == covered.second) covered.second = pieces_[k].second;
    covered.first = pieces_[k].first;
    if (rank != here) continue;
    if (own_.first == own_.second) own_.second = static_cast<Index>(k) + 1;
    own_.first = static_cast<Index>(k);
  }
}

Index RowShare::own_piece_of(Index row) const {
  Index k = 0;
  while (own_piece(k).second <= row) ++k;
  return k;
}

void RowShare::gather(View rows) const {
  if (communicator_ == nullptr) return;
  const auto [first, last] = own_rows();
  const Matrix own = rows.middleRows(first, last - first);
  std::vector<std::size_t> counts;
  for (const auto& [from, to] : rows_of_) counts.push_back(static_cast<std::size_t>((to - from) * rows.cols()));
  std::vector<double> all(static_cast<std::size_t>(rows.size()));
  communicator_->gather({own.data(), static_cast<std::size_t>(own.size())}, counts, all);
  const double* at = all.data();
  for (const auto& [from, to] : rows_of_) {
    rows.middleRows(from, to - from) = Eigen::Map<const Matrix>(at, to - from, rows.cols());
    at += (to - from) * rows.cols();
  }
}

}  // namespace gpcv
