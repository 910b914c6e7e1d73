#include "solvers/fold_preconditioner.hpp"

#include <algorithm>
#include <optional>

#include "core/parallel.hpp"
#include "solvers/blas.hpp"
#include "solvers/pivoted_cholesky.hpp"

namespace gpcv {
namespace {

/// A longer run would need a scaled copy of much of F.
constexpr Index rows_at_once = 4096;

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
    while (last < system.rows() && last - first < rows_at_once && same(first, last)) ++last;
    runs.emplace_back(first, last);
    first = last;
  }
  return runs;
}

}  // namespace

FoldPreconditioner::FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads,
                                       double negligible)
    : system_(system),
      factor_(
          pivoted_cholesky(system.program(), system.points(), rank, seed, threads, negligible * system.noise().sum())),
      threads_(threads) {
  const Index columns = factor_.cols();
  // S_k = I + Σ over runs that fold k trains of F_runᵀ D⁻¹ F_run: each run's Gram matrix is made once.
  std::vector<Matrix> s(static_cast<std::size_t>(system.systems()), Matrix::Identity(columns, columns));
  Matrix gram(columns, columns);
  for (const auto& [first, last] : equal_runs(system)) {
    const Vector weight = system.noise().segment(first, last - first).cwiseInverse().cwiseSqrt();
    const Matrix scaled = weight.asDiagonal() * factor_.middleRows(first, last - first);
    multiply(1, scaled, true, scaled, false, 0, gram, threads);
    for (Index k = 0; k < system.systems(); ++k) {
      if (system.trains(k, first)) s[static_cast<std::size_t>(k)] += gram;
    }
  }
  // Side by side when there is one for every thread.
  const auto folds = static_cast<int>(s.size());
  const int across = folds >= threads ? threads : 1;
  std::vector<std::optional<Cholesky>> factors(s.size());
  parallel_for(folds, across, [&](int k) {
    const auto at = static_cast<std::size_t>(k);
    factors[at].emplace(std::move(s[at]), across > 1 ? 1 : threads);
  });
  small_.reserve(s.size());
  for (std::optional<Cholesky>& factor : factors) small_.push_back(std::move(*factor));
}

void FoldPreconditioner::apply(ConstView r, std::span<const int> system, View z) const {
  // D⁻¹ r, zero outside the training rows because r is.
  z = system_.noise().cwiseInverse().asDiagonal() * r;
  if (factor_.cols() == 0) return;
  Matrix t(factor_.cols(), r.cols());
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
  system_.mask(correction, system);
  z -= system_.noise().cwiseInverse().asDiagonal() * correction;
}

}  // namespace gpcv
