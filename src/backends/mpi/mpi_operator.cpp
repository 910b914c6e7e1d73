#include "backends/mpi/mpi_operator.hpp"

#include <algorithm>

namespace gpcv {
namespace {

/// The fewest rows of a piece, and the most pieces: each piece has a local operator with its own copy of X2.
constexpr Index fewest_rows = 256, most_pieces = 64;

}  // namespace

MpiOperator::MpiOperator(ConstView x1, Index cols, Index parameters, const MakeLocal& make,
                         std::shared_ptr<const Communicator> communicator)
    : BackendOperator(x1.rows(), cols, parameters), communicator_(std::move(communicator)) {
  const Index height = std::max(fewest_rows, (x1.rows() + most_pieces - 1) / most_pieces);
  pieces_ = (x1.rows() + height - 1) / height;
  const Index begin = pieces_ * communicator_->rank() / communicator_->size(),
              end = pieces_ * (communicator_->rank() + 1) / communicator_->size();
  for (Index k = begin; k < end; ++k) {
    const Index first = k * height, count = std::min(height, x1.rows() - first);
    own_.push_back({first, k, make(x1.middleRows(first, count))});
  }
}

void MpiOperator::share(View y) const {
  for (Index c = 0; c < y.cols(); ++c) communicator_->begin_sum({y.col(c).data(), static_cast<std::size_t>(y.rows())});
  communicator_->finish();
}

void MpiOperator::apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const {
  std::vector<ZeroRows> of_columns(zeros.begin(), zeros.end());
  for (ZeroRows& z : of_columns) z.unwanted = false;  // here the zeros refer to columns of K, not to rows
  y.setZero();
  for (const Piece& piece : own_) {
    piece.local->apply(v, y.middleRows(piece.first, piece.local->rows()), of_columns);
    communicator_->advance();
  }
  share(y);
}

void MpiOperator::derivatives_impl(ConstView v, View j) const {
  j.setZero();
  for (const Piece& piece : own_) piece.local->derivatives(v, j.middleRows(piece.first, piece.local->rows()));
  share(j);
}

void MpiOperator::contract_impl(ConstView u, ConstView v, VectorView g) const {
  // Each piece has its own partial sum, and these are added in order.
  Matrix partial = Matrix::Zero(parameters(), pieces_);
  for (const Piece& piece : own_) {
    Vector part(parameters());
    piece.local->contract(u.middleRows(piece.first, piece.local->rows()), v, part);
    partial.col(piece.number) = part;
  }
  share(partial);
  g.setZero();
  for (Index k = 0; k < pieces_; ++k) g += partial.col(k);
}

}  // namespace gpcv
