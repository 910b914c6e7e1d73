#include "solvers/host_factor.hpp"

#include <optional>

#include "core/parallel.hpp"
#include "core/pieces.hpp"
#include "operators/dense_kernel.hpp"
#include "solvers/blas.hpp"

namespace gpcv {
namespace {

/// A longer run would need a scaled copy of much of F.
constexpr Index rows_at_once = 4096;

}  // namespace

HostFactor::HostFactor(const FoldParts& parts, Index most, int threads)
    : parts_(parts), threads_(threads), factor_(parts.x.rows(), most) {}

Matrix HostFactor::residual_columns(const std::vector<Index>& pivots) {
  // G = K(:, S) − F F(S, :)ᵀ
  columns_ = dense_kernel(parts_.program, parts_.x, parts_.x(pivots, Eigen::all), threads_);
  if (done_ > 0) {
    const Matrix pivot_rows = factor_(pivots, Eigen::seqN(0, done_));
    multiply(-1, factor_.leftCols(done_), false, pivot_rows, true, 1, columns_, threads_);
  }
  return columns_(pivots, Eigen::all);
}

Vector HostFactor::append(const std::vector<Index>& kept, const Matrix& l) {
  const auto count = static_cast<Index>(kept.size());
  Vector squared(factor_.rows());
  // Rows are independent of one another.
  const auto solve = [&](Index, Index first, Index rows) {
    auto block = factor_.block(first, done_, rows, count);
    for (Index i = 0; i < count; ++i) {
      block.col(i) = columns_.col(kept[static_cast<std::size_t>(i)]).segment(first, rows);
    }
    l.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(block);
    squared.segment(first, rows) = block.rowwise().squaredNorm();
  };
  for_pieces(factor_.rows(), 1, threads_, solve, static_cast<double>(count * count));
  done_ += count;
  return squared;
}

void HostFactor::complete() {
  columns_.resize(0, 0);
  factor_.conservativeResize(Eigen::NoChange, done_);
  // S_k = I + Σ over runs that fold k trains of F_runᵀ D⁻¹ F_run: each run's Gram matrix is made once.
  std::vector<Matrix> s(parts_.training.size(), Matrix::Identity(done_, done_));
  Matrix gram(done_, done_);
  for (const auto& [first, last] : equal_runs(parts_.training, factor_.rows(), rows_at_once)) {
    const Vector weight = parts_.noise.segment(first, last - first).cwiseInverse().cwiseSqrt();
    const Matrix scaled = weight.asDiagonal() * factor_.middleRows(first, last - first);
    multiply(1, scaled, true, scaled, false, 0, gram, threads_);
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (parts_.training[k][static_cast<std::size_t>(first)] != 0) s[k] += gram;
    }
  }
  // Side by side when there is one for every thread.
  const auto folds = static_cast<int>(s.size());
  const int across = folds >= threads_ ? threads_ : 1;
  std::vector<std::optional<Cholesky>> factors(s.size());
  parallel_for(folds, across, [&](int k) {
    const auto at = static_cast<std::size_t>(k);
    factors[at].emplace(std::move(s[at]), across > 1 ? 1 : threads_);
  });
  small_.reserve(s.size());
  for (std::optional<Cholesky>& factor : factors) small_.push_back(std::move(*factor));
}

void HostFactor::apply(ConstView r, std::span<const int> system, View z) const {
  // D⁻¹ r, zero outside the training rows because r is.
  for_pieces(r.rows(), r.cols(), threads_, [&](Index c, Index first, Index count) {
    z.col(c).segment(first, count) = r.col(c).segment(first, count).cwiseQuotient(parts_.noise.segment(first, count));
  });
  if (done_ == 0) return;
  Matrix t(done_, r.cols());
  multiply(1, factor_, true, z, false, 0, t, threads_);
  const auto columns = static_cast<Index>(system.size());
  for (Index first = 0; first < columns;) {
    const int fold = system[static_cast<std::size_t>(first)];
    Index last = first + 1;
    while (last < columns && system[static_cast<std::size_t>(last)] == fold) ++last;
    t.middleCols(first, last - first) = small_[static_cast<std::size_t>(fold)].solve(t.middleCols(first, last - first));
    first = last;
  }
  Matrix correction(z.rows(), z.cols());
  multiply(1, factor_, false, t, false, 0, correction, threads_);
  for_pieces(r.rows(), r.cols(), threads_, [&](Index c, Index first, Index count) {
    const char* trains = parts_.training[static_cast<std::size_t>(system[static_cast<std::size_t>(c)])].data() + first;
    for (Index i = 0; i < count; ++i) {
      if (trains[i] != 0) z(first + i, c) -= correction(first + i, c) / parts_.noise(first + i);
    }
  });
}

}  // namespace gpcv
