#include "solvers/fold_preconditioner.hpp"

#include <algorithm>
#include <cmath>

#include "core/exact_sum.hpp"
#include "core/parallel.hpp"
#include "gpcv/error.hpp"
#include "operators/dense_kernel.hpp"
#include "solvers/blas.hpp"
#include "solvers/pivoted_cholesky.hpp"

namespace gpcv {
namespace {

/// Enough pieces for a few ranks at some thousand rows, and few enough that adding up their Gram matrices takes little.
constexpr Index rows_per_piece = 1024;
/// Numbers of F below which asking other ranks takes longer than having all of it.
constexpr double fewest_shared_numbers = 200'000;

/// Rows whose training is the same in every fold, as runs [first, last): the internal order keeps them together.
std::vector<std::pair<Index, Index>> equal_runs(const FoldSystem& system) {
  std::vector<std::pair<Index, Index>> runs;
  auto same = [&](Index a, Index b) {
    for (Index k = 0; k < system.systems(); ++k) {
      if (system.trains(k, a) != system.trains(k, b)) return false;
    }
    return true;
  };
  for (Index first = 0; first < system.rows();) {
    Index last = first + 1;
    while (last < system.rows() && same(first, last)) ++last;
    runs.emplace_back(first, last);
    first = last;
  }
  return runs;
}

const Team* worthwhile_team(const FoldSystem& system, Index rank) {
  return static_cast<double>(system.rows()) * static_cast<double>(rank) < fewest_shared_numbers ? nullptr
                                                                                                : system.team();
}

}  // namespace

FoldPreconditioner::FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads,
                                       double negligible)
    : system_(system),
      share_(equal_runs(system), rows_per_piece, worthwhile_team(system, rank)),
      threads_(threads),
      factor_(pivoted_cholesky(system.program(), system.points(), share_, rank, seed, threads,
                               negligible * system.noise().sum())) {
  // Every rank knows how many columns there are, whether it has rows or not.
  const double columns = factor_.empty() ? 0 : static_cast<double>(factor_.front().cols());
  rank_ = static_cast<Index>(share_.team() != nullptr ? share_.team()->maximum(columns) : columns);
  make_small_factors();
}

int FoldPreconditioner::keeper_of(std::size_t fold) const {
  return share_.team() == nullptr ? 0 : static_cast<int>(fold) % share_.team()->size();
}

void FoldPreconditioner::make_small_factors() {
  const Vector diagonal = kernel_diagonal(system_.program(), system_.points()).cwiseMax(0);
  largest_ = diagonal.size() > 0 ? std::sqrt(diagonal.maxCoeff()) : 0;  // row a of F has the norm √K_aa at the most
  // S_k = I + Σ over pieces that fold k trains of F_pieceᵀ D⁻¹ F_piece: each piece's Gram matrix is made once.
  // |Σ_a F_ai F_aj / D_a| ≤ Σ_a K_aa / D_a
  const ExactSum exact(2 * diagonal.cwiseQuotient(system_.noise()).sum());
  std::vector<Matrix> s(static_cast<std::size_t>(system_.systems()), Matrix::Zero(rank_, rank_));
  Matrix gram(rank_, rank_), run = Matrix::Zero(rank_, rank_);
  const auto numbers = static_cast<std::size_t>(gram.size());
  for (Index k = 0; k < share_.own_count(); ++k) {
    const auto [first, last] = share_.own_piece(k);
    const Vector weight = system_.noise().segment(first, last - first).cwiseInverse().cwiseSqrt();
    const Matrix scaled = weight.asDiagonal() * factor_[static_cast<std::size_t>(k)];
    multiply(1, scaled, true, scaled, false, 0, gram, threads_);
    exact.add(gram.data(), numbers, run.data());
    const auto trained_alike = [&](Index a, Index b) {
      for (Index f = 0; f < system_.systems(); ++f) {
        if (system_.trains(f, a) != system_.trains(f, b)) return false;
      }
      return true;
    };
    if (k + 1 < share_.own_count() && trained_alike(first, last)) continue;
    for (Index f = 0; f < system_.systems(); ++f) {
      if (system_.trains(f, first)) s[static_cast<std::size_t>(f)] += run;
    }
    run.setZero();
  }
  if (share_.team() != nullptr) {
    for (std::size_t f = 0; f < s.size(); ++f) share_.team()->sum_to(keeper_of(f), {s[f].data(), numbers});
  }
  small_.resize(s.size());
  // Side by side when there is one for every thread.
  const auto folds = static_cast<int>(s.size());
  const int across = folds >= threads_ ? threads_ : 1;
  double failed = 0;
  try {
    parallel_for(folds, across, [&](int f) {
      const auto at = static_cast<std::size_t>(f);
      if (!keeps(at)) return;
      s[at].diagonal().array() += 1;
      small_[at].emplace(std::move(s[at]), across > 1 ? 1 : threads_);
    });
  } catch (const NumericalError&) {
    if (share_.team() == nullptr) throw;
    failed = 1;
  }
  // What one rank meets, all must act on.
  if (share_.team() != nullptr && share_.team()->maximum(failed) > 0) {
    throw NumericalError("the preconditioner could not be factorised");
  }
}

void FoldPreconditioner::apply(ConstView r, std::span<const int> system, View z) const {
  const Vector inverse_noise = system_.noise().cwiseInverse();
  if (rank_ == 0) {
    z = inverse_noise.asDiagonal() * r;
    return;
  }
  const Team* team = share_.team();
  const auto [first_row, last_row] = share_.own_rows();
  // D⁻¹ r, zero outside the training rows because r is.
  auto own = z.middleRows(first_row, last_row - first_row);
  own = inverse_noise.segment(first_row, own.rows()).asDiagonal() * r.middleRows(first_row, own.rows());
  // t = Fᵀ D⁻¹ r, in two parts
  Matrix t = Matrix::Zero(rank_, 2 * r.cols()), part(rank_, r.cols());
  std::vector<ExactSum> exact;
  for (Index c = 0; c < r.cols(); ++c) {
    exact.emplace_back(2 * largest_ * r.col(c).cwiseAbs().dot(inverse_noise));
  }
  for (Index k = 0; k < share_.own_count(); ++k) {
    const auto [first, last] = share_.own_piece(k);
    multiply(1, factor_[static_cast<std::size_t>(k)], true, z.middleRows(first, last - first), false, 0, part,
             threads_);
    for (Index c = 0; c < r.cols(); ++c) {
      exact[static_cast<std::size_t>(c)].add(part.col(c).data(), static_cast<std::size_t>(rank_), t.col(c).data(),
                                             t.col(r.cols() + c).data());
    }
  }
  if (team != nullptr) team->sum({t.data(), static_cast<std::size_t>(t.size())});
  t = (t.leftCols(r.cols()) + t.rightCols(r.cols())).eval();
  solve_small(system, t);
  for (Index k = 0; k < share_.own_count(); ++k) {
    const auto [first, last] = share_.own_piece(k);
    Matrix correction(last - first, z.cols());
    multiply(1, factor_[static_cast<std::size_t>(k)], false, t, false, 0, correction, threads_);
    for (Index c = 0; c < z.cols(); ++c) {
      // All rows of a piece are trained alike.
      if (!system_.trains(system[static_cast<std::size_t>(c)], first)) continue;
      z.col(c).segment(first, last - first).array() -=
          inverse_noise.segment(first, last - first).array() * correction.col(c).array();
    }
  }
  share_.gather(z);
}

void FoldPreconditioner::solve_small(std::span<const int> system, Matrix& t) const {
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
  if (share_.team() != nullptr) share_.team()->sum({t.data(), static_cast<std::size_t>(t.size())});
}

}  // namespace gpcv
