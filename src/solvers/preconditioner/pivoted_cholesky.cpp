#include "solvers/preconditioner/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/dense_kernel.hpp"
#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "solvers/preconditioner/host_factor.hpp"

namespace gpcv {
namespace {

/// The columns of a block: wide enough for matrix products, narrow enough that the pivots of one block are seldom
/// redundant.
constexpr Index block_columns = 64;
/// The fraction of the trace of K below which the residual counts as zero.
constexpr double exhausted = 1e-14;

/// Distinct rows, drawn with probability proportional to `weight`.
std::vector<Index> draw_rows(const Vector& weight, Index count, Random& random) {
  // Partial sums over `step` rows locate the row that is drawn.
  constexpr Index step = 1024;
  Vector left = weight;
  Vector sums((left.size() + step - 1) / step);
  for (Index s = 0; s < sums.size(); ++s) {
    sums(s) = left.segment(s * step, std::min(step, left.size() - s * step)).sum();
  }
  std::vector<Index> rows;
  while (static_cast<Index>(rows.size()) < count) {
    const double total = sums.sum();
    if (!(total > 0)) break;
    double target = random.uniform() * total;
    Index at = 0;
    while (at + 1 < sums.size() && target >= sums(at)) target -= sums(at++);
    const Index last = std::min(left.size(), (at + 1) * step) - 1;
    Index pick = at * step;
    while (pick < last && target >= left(pick)) target -= left(pick++);
    if (left(pick) <= 0) break;
    rows.push_back(pick);
    left(pick) = 0;
    sums(at) = left.segment(at * step, last + 1 - at * step).sum();
  }
  return rows;
}

}  // namespace

double draw_columns(LowRankFactor& factor, const Vector& diagonal, Index rank, std::uint64_t seed, double enough,
                    const std::function<bool()>& stop) {
  Vector left = diagonal.cwiseMax(0);
  const double trace = left.sum();
  Random random(seed);
  while (factor.rank() < rank && left.sum() > std::max(enough, exhausted * trace)) {
    if (stop && stop()) throw Interrupted("stopped");
    const std::vector<Index> pivots = draw_rows(left, std::min(block_columns, rank - factor.rank()), random);
    if (pivots.empty()) break;
    // G(S, :) = L Lᵀ; pivots that depend on others of the block are dropped.
    const Matrix core = factor.residual_columns(pivots);
    std::vector<Index> kept;
    Matrix l = Matrix::Zero(core.rows(), core.rows());
    const double least = 1e-10 * core.diagonal().maxCoeff();
    for (Index i = 0; i < core.rows(); ++i) {
      const auto m = static_cast<Index>(kept.size());
      Vector row(m);
      for (Index j = 0; j < m; ++j) {
        row(j) = (core(i, kept[static_cast<std::size_t>(j)]) - row.head(j).dot(l.row(j).head(j))) / l(j, j);
      }
      const double pivot = core(i, i) - row.squaredNorm();
      if (pivot <= least) continue;
      l.row(m).head(m) = row;
      l(m, m) = std::sqrt(pivot);
      kept.push_back(i);
    }
    const auto columns = static_cast<Index>(kept.size());
    if (columns == 0) break;
    // F = [F, G L⁻ᵀ]
    left = (left - factor.append(kept, l.topLeftCorner(columns, columns))).cwiseMax(0);
    for (Index pivot : pivots) left(pivot) = 0;
  }
  return left.sum();
}

Matrix pivoted_cholesky(const KernelProgram& program, ConstView x, Index rank, std::uint64_t seed, int threads,
                        double enough) {
  const Matrix points = x;
  const Vector none;
  const std::vector<std::vector<char>> no_folds;
  rank = std::min(rank, x.rows());
  HostFactor factor({program, points, none, no_folds}, rank, threads);
  draw_columns(factor, kernel_diagonal(program, x), rank, seed, enough);
  return factor.own_rows();
}

}  // namespace gpcv
