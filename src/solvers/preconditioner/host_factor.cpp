#include "solvers/preconditioner/host_factor.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <type_traits>

#include "backends/dense_kernel.hpp"
#include "core/exact_sum.hpp"
#include "core/parallel.hpp"
#include "gpcv/error.hpp"
#include "solvers/blas.hpp"

namespace gpcv {
namespace {

/// The rows of a piece: small enough for a few ranks at some thousand rows, and large enough that summing the Gram
/// matrices takes little time.
constexpr Index rows_per_piece = 1024;

/// Noise, relative to the kernel, from which F is rounded to single precision: its rounding changes F Fᵀ by 10⁻⁷.
constexpr double least_noise_of_single = 1e-5;

/// The number of columns of F with their padding.
Index padded(Index columns) {
  constexpr auto together = static_cast<Index>(factor_padding);
  return (columns + together - 1) / together * together;
}

DoubleColumns columns_of(const double* data, Index stride, Index count) {
  return {const_cast<double*>(data), static_cast<std::size_t>(stride), static_cast<std::size_t>(count)};
}

}  // namespace

HostFactor::HostFactor(const FoldParts& parts, Index most, int threads)
    : parts_(parts),
      share_(equal_runs(parts.training, parts.x.rows(), parts.x.rows()), rows_per_piece, parts.communicator),
      threads_(threads),
      columns_(static_cast<std::size_t>(share_.own_count())) {
  for (Index k = 0; k < share_.own_count(); ++k) {
    const auto [first, last] = share_.own_piece(k);
    factor_.emplace_back(last - first, most);
  }
}

template <class Work>
void HostFactor::each_piece(const Work& work) const {
  parallel_for(static_cast<int>(share_.own_count()), threads_, [&](int k) {
    const auto [first, last] = share_.own_piece(k);
    work(static_cast<std::size_t>(k), first, last - first);
  });
}

Matrix HostFactor::rows_at(const std::vector<Matrix>& pieces, const std::vector<Index>& rows, Index columns) const {
  Matrix out = Matrix::Zero(static_cast<Index>(rows.size()), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!share_.owns(rows[i])) continue;
    const Index k = share_.own_piece_of(rows[i]);
    out.row(static_cast<Index>(i)) =
        pieces[static_cast<std::size_t>(k)].row(rows[i] - share_.own_piece(k).first).head(columns);
  }
  if (share_.communicator() != nullptr) share_.communicator()->sum({out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

Matrix HostFactor::residual_columns(const std::vector<Index>& pivots) {
  const Matrix points = parts_.x(pivots, Eigen::all), pivot_rows = rows_at(factor_, pivots, done_);
  // G = K(:, S) − F F(S, :)ᵀ
  each_piece([&](std::size_t k, Index first, Index count) {
    columns_[k] = dense_kernel(parts_.program, parts_.x.middleRows(first, count), points, 1);
    if (done_ > 0) multiply(-1, factor_[k].leftCols(done_), false, pivot_rows, true, 1, columns_[k], 1);
  });
  return rows_at(columns_, pivots, static_cast<Index>(pivots.size()));
}

Vector HostFactor::append(const std::vector<Index>& kept, const Matrix& l) {
  const auto count = static_cast<Index>(kept.size());
  Vector squared(parts_.x.rows());
  each_piece([&](std::size_t k, Index first, Index rows) {
    Matrix block = columns_[k](Eigen::all, kept);
    l.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(block);
    factor_[k].middleCols(done_, count) = block;
    squared.segment(first, rows) = block.rowwise().squaredNorm();
  });
  share_.gather(squared);
  done_ += count;
  return squared;
}

Matrix HostFactor::own_rows() const {
  const Index first = share_.own_rows().first;
  Matrix all(share_.own_rows().second - first, done_);
  for (Index k = 0; k < share_.own_count(); ++k) {
    const auto [begin, end] = share_.own_piece(k);
    auto rows = all.middleRows(begin - first, end - begin);
    if (!factor_.empty()) {
      rows = factor_[static_cast<std::size_t>(k)].leftCols(done_);
    } else if (in_single_) {
      rows = single_rows_[static_cast<std::size_t>(k)].topRows(done_).transpose().cast<double>();
    } else {
      rows = rows_[static_cast<std::size_t>(k)].topRows(done_).transpose();
    }
  }
  return all;
}

void HostFactor::store_rows() {
  for (Matrix& piece : factor_) {
    if (in_single_) {
      single_rows_.emplace_back(Eigen::MatrixXf::Zero(padded(done_), piece.rows())).topRows(done_) =
          piece.transpose().cast<float>();
    } else {
      rows_.emplace_back(Matrix::Zero(padded(done_), piece.rows())).topRows(done_) = piece.transpose();
    }
    piece.resize(0, 0);
  }
  factor_.clear();
}

template <class Work>
void HostFactor::with_rows(std::size_t piece, const Work& work) const {
  const auto of = [](const auto& rows) {
    using Number = std::remove_cvref_t<decltype(rows(0, 0))>;
    return FactorRows<Number>{rows.data(), static_cast<std::size_t>(rows.cols()),
                              static_cast<std::size_t>(rows.rows())};
  };
  if (in_single_) return work(of(single_rows_[piece]));
  work(of(rows_[piece]));
}

bool HostFactor::trained_alike(Index a, Index b) const {
  for (std::size_t f = 0; f < parts_.training.size(); ++f) {
    if (trains(f, a) != trains(f, b)) return false;
  }
  return true;
}

int HostFactor::owner_of(std::size_t fold) const {
  return share_.communicator() == nullptr ? 0 : static_cast<int>(fold) % share_.communicator()->size();
}
bool HostFactor::keeps(std::size_t fold) const {
  return share_.communicator() == nullptr || share_.communicator()->rank() == owner_of(fold);
}

void HostFactor::complete(Index neighbours) {
  columns_.clear();
  const Vector diagonal = kernel_diagonal(parts_.program, parts_.x).cwiseMax(0);
  in_single_ = diagonal.size() > 0 && parts_.noise.minCoeff() >= least_noise_of_single * diagonal.maxCoeff();
  for (Matrix& piece : factor_) {
    piece.conservativeResize(Eigen::NoChange, done_);
    if (in_single_) piece = piece.cast<float>().cast<double>().eval();  // S_k is that of the F that is stored
  }
  // The norm of row a of F is at most √K_aa.
  largest_ = diagonal.size() > 0 ? std::sqrt(diagonal.maxCoeff()) : 0;
  weighted_diagonal_ = diagonal.cwiseQuotient(parts_.noise).sum();
  if (neighbours == 0) {
    factorise(gram_matrices());
  } else {
    const Matrix f = all_rows();
    local_.emplace(parts_, share_,
                   earlier_neighbours(parts_.program, parts_.x, neighbours, share_, threads_, parts_.stop), f,
                   threads_);
    factorise(local_gram_matrices(f));
  }
  store_rows();
}

Matrix HostFactor::all_rows() const {
  if (share_.communicator() == nullptr) {
    Matrix f(done_, parts_.x.rows());
    for (Index k = 0; k < share_.own_count(); ++k) {
      const auto [first, last] = share_.own_piece(k);
      f.middleCols(first, last - first) = factor_[static_cast<std::size_t>(k)].transpose();
    }
    return f;
  }
  Matrix rows(parts_.x.rows(), done_);
  const auto [first, last] = share_.own_rows();
  rows.middleRows(first, last - first) = own_rows();
  share_.gather(rows);
  return rows.transpose();
}

std::vector<Matrix> HostFactor::gram_matrices() const {
  // S_k − I is the sum of F_pieceᵀ D⁻¹ F_piece over the pieces on which fold k trains; the Gram matrix of a piece is
  // computed once.
  // |Σ_a F_ai F_aj / D_a| ≤ Σ_a K_aa / D_a
  const ExactSum exact(2 * weighted_diagonal_);
  std::vector<Matrix> s(parts_.training.size(), Matrix::Zero(done_, done_));
  Matrix gram(done_, done_), run = Matrix::Zero(done_, done_);
  const auto numbers = static_cast<std::size_t>(gram.size());
  for (Index k = 0; k < share_.own_count(); ++k) {
    const auto [first, last] = share_.own_piece(k);
    const Vector weight = parts_.noise.segment(first, last - first).cwiseInverse().cwiseSqrt();
    const Matrix scaled = weight.asDiagonal() * factor_[static_cast<std::size_t>(k)];
    multiply(1, scaled, true, scaled, false, 0, gram, threads_);
    exact.add(gram.data(), numbers, run.data());
    if (k + 1 < share_.own_count() && trained_alike(first, last)) continue;
    for (std::size_t f = 0; f < s.size(); ++f) {
      if (trains(f, first)) s[f] += run;
    }
    run.setZero();
  }
  for (std::size_t fold = 0; fold < s.size(); ++fold) sum_to_owner(fold, s[fold]);
  return s;
}

std::vector<Matrix> HostFactor::local_gram_matrices(const Matrix& f) const {
  // With H = G_k F, S_k − I = HᵀH. A row g of G has g D gᵀ ≤ 1, hence |H_ai H_aj| ≤ Σ K_bb / D_b over its entries b.
  // Small noise makes this bound so large that a sum without its rest would be wrong by more than the smallest
  // eigenvalue of S_k, which is 1 or more.
  const ExactSum exact(2 * weighted_diagonal_ * static_cast<double>(local_->most_uses()));
  std::vector<Matrix> s(parts_.training.size(), Matrix::Zero(done_, done_));
  Matrix gram(done_, done_), rest(done_, done_);
  for (std::size_t fold = 0; fold < s.size(); ++fold) {
    rest.setZero();
    for (Index k = 0; k < share_.own_count(); ++k) {
      const auto [first, last] = share_.own_piece(k);
      if (!trains(fold, first)) continue;
      if (parts_.stop && parts_.stop()) throw Interrupted("stopped");
      const Matrix h = local_->times(fold, f, first, last - first);
      multiply(1, h, true, h, false, 0, gram, threads_);
      exact.add(gram.data(), static_cast<std::size_t>(gram.size()), s[fold].data(), rest.data());
    }
    sum_to_owner(fold, s[fold]);
    sum_to_owner(fold, rest);
    s[fold] += rest;
  }
  return s;
}

void HostFactor::sum_to_owner(std::size_t fold, Matrix& matrix) const {
  if (share_.communicator() == nullptr) return;
  share_.communicator()->sum_to(owner_of(fold), {matrix.data(), static_cast<std::size_t>(matrix.size())});
}

void HostFactor::factorise(std::vector<Matrix> s) {
  small_.resize(s.size());
  // The folds are factorised in parallel if there is one for every thread.
  const auto folds = static_cast<int>(s.size());
  const int across = folds >= threads_ ? threads_ : 1;
  double failed = 0;
  try {
    parallel_for(folds, across, [&](int f) {
      const auto at = static_cast<std::size_t>(f);
      if (!keeps(at)) return;
      s[at].diagonal().array() += 1;  // S_k = I + F_kᵀ D⁻¹ F_k
      small_[at].emplace(std::move(s[at]), across > 1 ? 1 : threads_);
    });
  } catch (const NumericalError&) {
    if (share_.communicator() == nullptr) throw;
    failed = 1;
  }
  // All ranks must react to the failure of one.
  if (share_.communicator() != nullptr && share_.communicator()->maximum(failed) > 0) {
    throw NumericalError("the preconditioner could not be factorised");
  }
}

void HostFactor::apply_inverse(ConstView r, std::span<const int> system, View z) const {
  if (local_) {
    local_->apply(r, system, z);
  } else {
    z = parts_.noise.cwiseInverse().asDiagonal() * r;
  }
}

Matrix HostFactor::small_solution(ConstView z, std::span<const int> system) const {
  // t = Fᵀ z, as a sum of two parts
  const Index columns = z.cols();
  Matrix t = Matrix::Zero(done_, 2 * columns);
  std::vector<ExactSum> exact;
  for (Index c = 0; c < columns; ++c) exact.emplace_back(2 * largest_ * z.col(c).cwiseAbs().sum());
  std::mutex adding;
  each_piece([&](std::size_t k, Index first, Index) {
    Matrix part = Matrix::Zero(padded(done_), columns);
    with_rows(k, [&](const auto& rows) {
      add_transposed_product(rows, columns_of(z.data() + first, z.outerStride(), columns),
                             columns_of(part.data(), part.rows(), columns));
    });
    const std::scoped_lock lock(adding);  // the order of exact sums does not matter
    for (Index c = 0; c < columns; ++c) {
      exact[static_cast<std::size_t>(c)].add(part.col(c).data(), static_cast<std::size_t>(done_), t.col(c).data(),
                                             t.col(columns + c).data());
    }
  });
  if (share_.communicator() != nullptr) share_.communicator()->sum({t.data(), static_cast<std::size_t>(t.size())});
  t = (t.leftCols(columns) + t.rightCols(columns)).eval();
  solve_small(system, t);
  return t;
}

void HostFactor::apply(ConstView r, std::span<const int> system, View z) const {
  apply_inverse(r, system, z);
  if (done_ == 0) return;
  const Index columns = r.cols();
  const Matrix t = small_solution(z, system);
  const Vector inverse_noise = parts_.noise.cwiseInverse();
  // z −= E⁻¹ F_k t, with D in place of E where there is no local inverse
  Matrix correction = local_ ? Matrix::Zero(z.rows(), columns) : Matrix();
  Matrix wide = Matrix::Zero(padded(done_), columns);
  wide.topRows(done_) = t;
  each_piece([&](std::size_t k, Index first, Index count) {
    Matrix part(count, columns);
    with_rows(k, [&](const auto& rows) {
      factor_product(rows, columns_of(wide.data(), wide.rows(), columns), columns_of(part.data(), count, columns));
    });
    for (Index c = 0; c < columns; ++c) {
      // All rows of a piece train in the same folds.
      if (!trains(static_cast<std::size_t>(system[static_cast<std::size_t>(c)]), first)) continue;
      if (local_) {
        correction.col(c).segment(first, count) = part.col(c);
      } else {
        z.col(c).segment(first, count).array() -= inverse_noise.segment(first, count).array() * part.col(c).array();
      }
    }
  });
  if (!local_) return share_.gather(z);
  share_.gather(correction);
  local_->apply(correction, system, correction);
  z -= correction;
}

void HostFactor::solve_small(std::span<const int> system, Matrix& t) const {
  const auto columns = static_cast<Index>(system.size());
  for (Index first = 0; first < columns;) {
    const int fold = system[static_cast<std::size_t>(first)];
    Index last = first + 1;
    while (last < columns && system[static_cast<std::size_t>(last)] == fold) ++last;
    auto of_fold = t.middleCols(first, last - first);
    if (keeps(static_cast<std::size_t>(fold))) {
      of_fold = small_[static_cast<std::size_t>(fold)]->solve(of_fold);
    } else {
      of_fold.setZero();
    }
    first = last;
  }
  if (share_.communicator() != nullptr) share_.communicator()->sum({t.data(), static_cast<std::size_t>(t.size())});
}

}  // namespace gpcv
