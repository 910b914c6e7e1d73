#include "solvers/host_vectors.hpp"

#include "core/pieces.hpp"

namespace gpcv {

Vector HostVectors::dot(const Matrix& a, const Matrix& b) const {
  return sum_pieces(a.rows(), active(), threads_, [&](Index c, Index first, Index count) {
    return a.col(c).segment(first, count).dot(b.col(c).segment(first, count));
  });
}

Vector HostVectors::start(ConstView r, std::span<const int> system, View x, std::span<const Index> target) {
  system_.assign(system.begin(), system.end());
  place_.assign(target.begin(), target.end());
  x_ = x.data();
  x_stride_ = x.outerStride();
  r_ = r;
  z_.resize(r.rows(), r.cols());
  q_.resize(r.rows(), r.cols());
  Vector rz = precondition();
  p_ = z_;
  return rz;
}

Vector HostVectors::multiply() {
  a_.apply(p_.leftCols(active()), system_, q_.leftCols(active()), arithmetic_);
  return dot(p_, q_);
}

CgVectors::Norms HostVectors::advance(const Vector& alpha) {
  // A column with α = 0 may hold arbitrary values and is skipped.
  const Vector r = sum_pieces(r_.rows(), active(), threads_, [&](Index c, Index first, Index count) {
    if (alpha(c) == 0) return 0.0;
    auto piece = r_.col(c).segment(first, count);
    piece -= alpha(c) * q_.col(c).segment(first, count);
    return piece.squaredNorm();
  });
  const Vector p = sum_pieces(r_.rows(), active(), threads_, [&](Index c, Index first, Index count) {
    if (alpha(c) == 0) return 0.0;
    const auto piece = p_.col(c).segment(first, count);
    Eigen::Map<Vector>(x_ + place_[static_cast<std::size_t>(c)] * x_stride_ + first, count) += alpha(c) * piece;
    return piece.squaredNorm();
  });
  return {r, p};
}

Vector HostVectors::precondition() {
  if (preconditioner_ != nullptr) {
    preconditioner_->apply(r_.leftCols(active()), system_, z_.leftCols(active()));
  } else {
    for_pieces(r_.rows(), active(), threads_, [&](Index c, Index first, Index count) {
      z_.col(c).segment(first, count) = r_.col(c).segment(first, count);
    });
  }
  return dot(r_, z_);
}

void HostVectors::turn(const Vector& beta) {
  for_pieces(r_.rows(), active(), threads_, [&](Index c, Index first, Index count) {
    auto piece = p_.col(c).segment(first, count);
    piece = z_.col(c).segment(first, count) + beta(c) * piece;
  });
}

void HostVectors::keep(const std::vector<Index>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto to = static_cast<Index>(i), from = columns[i];
    if (to == from) continue;
    r_.col(to) = r_.col(from);
    p_.col(to) = p_.col(from);
    z_.col(to) = z_.col(from);
    system_[i] = system_[static_cast<std::size_t>(from)];
    place_[i] = place_[static_cast<std::size_t>(from)];
  }
  system_.resize(columns.size());
  place_.resize(columns.size());
}

}  // namespace gpcv
