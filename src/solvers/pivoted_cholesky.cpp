#include "solvers/pivoted_cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "operators/dense_kernel.hpp"
#include "solvers/blas.hpp"

namespace gpcv {
namespace {

/// Columns per block: wide enough for matrix products, narrow enough that pivots of one block seldom repeat
/// one another.
constexpr Index block_columns = 64;
/// What is left of K counts as nothing below this part of its trace.
constexpr double exhausted = 1e-14;
constexpr Index rows_per_piece = 1024;

/// Distinct rows drawn with probability proportional to `weight`.
std::vector<Index> draw_rows(const Vector& weight, Index count, Random& random) {
  Vector left = weight;
  double total = left.sum();
  std::vector<Index> rows;
  while (static_cast<Index>(rows.size()) < count && total > 0) {
    double target = random.uniform() * total;
    Index pick = 0;
    while (pick + 1 < left.size() && target >= left(pick)) target -= left(pick++);
    if (left(pick) <= 0) break;
    rows.push_back(pick);
    total -= left(pick);
    left(pick) = 0;
  }
  return rows;
}

}  // namespace

namespace {

/// Rows of a matrix that is kept in pieces, on all ranks: [F(rows, :)].
Matrix rows_at(const RowShare& share, const std::vector<Matrix>& pieces, const std::vector<Index>& rows,
               Index columns) {
  Matrix out = Matrix::Zero(static_cast<Index>(rows.size()), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!share.owns(rows[i])) continue;
    const Index k = share.own_piece_of(rows[i]);
    out.row(static_cast<Index>(i)) =
        pieces[static_cast<std::size_t>(k)].row(rows[i] - share.own_piece(k).first).head(columns);
  }
  if (share.team() != nullptr) share.team()->sum({out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

/// G(S, :) = L Lᵀ of the pivots that the others of the block do not explain.
struct Core {
  std::vector<Index> kept;
  Matrix l;
};
Core factor_core(const Matrix& core) {
  Core out{{}, Matrix::Zero(core.rows(), core.rows())};
  const double least = 1e-10 * core.diagonal().maxCoeff();
  for (Index i = 0; i < core.rows(); ++i) {
    const auto m = static_cast<Index>(out.kept.size());
    Vector row(m);
    for (Index j = 0; j < m; ++j) {
      row(j) = (core(i, out.kept[static_cast<std::size_t>(j)]) - row.head(j).dot(out.l.row(j).head(j))) / out.l(j, j);
    }
    const double pivot = core(i, i) - row.squaredNorm();
    if (pivot <= least) continue;
    out.l.row(m).head(m) = row;
    out.l(m, m) = std::sqrt(pivot);
    out.kept.push_back(i);
  }
  const auto size = static_cast<Index>(out.kept.size());
  out.l.conservativeResize(size, size);
  return out;
}

}  // namespace

std::vector<Matrix> pivoted_cholesky(const KernelProgram& program, ConstView x, const RowShare& share, Index rank,
                                     std::uint64_t seed, int threads, double enough) {
  rank = std::min(rank, x.rows());
  std::vector<Matrix> factor, g(static_cast<std::size_t>(share.own_count()));
  for (Index k = 0; k < share.own_count(); ++k) {
    factor.emplace_back(share.own_piece(k).second - share.own_piece(k).first, rank);
  }
  const auto each_piece = [&](const auto& work) {
    parallel_for(static_cast<int>(share.own_count()), threads, [&](int k) {
      const auto [first, last] = share.own_piece(k);
      work(static_cast<std::size_t>(k), first, last - first);
    });
  };
  Vector left = kernel_diagonal(program, x).cwiseMax(0);
  const double trace = left.sum();
  Random random(seed);
  Index done = 0;
  while (done < rank && left.sum() > std::max(enough, exhausted * trace)) {
    const std::vector<Index> pivots = draw_rows(left, std::min(block_columns, rank - done), random);
    if (pivots.empty()) break;
    const Matrix points = x(pivots, Eigen::all), pivot_rows = rows_at(share, factor, pivots, done);
    // G = K(:, S) − F F(S, :)ᵀ
    each_piece([&](std::size_t k, Index first, Index count) {
      g[k] = dense_kernel(program, x.middleRows(first, count), points, 1);
      if (done > 0) multiply(-1, factor[k].leftCols(done), false, pivot_rows, true, 1, g[k], 1);
    });
    const Core core = factor_core(rows_at(share, g, pivots, static_cast<Index>(pivots.size())));
    const auto columns = static_cast<Index>(core.kept.size());
    if (columns == 0) break;
    // F = [F, G L⁻ᵀ]
    each_piece([&](std::size_t k, Index first, Index count) {
      Matrix block = g[k](Eigen::all, core.kept);
      core.l.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(block);
      factor[k].middleCols(done, columns) = block;
      left.segment(first, count) = (left.segment(first, count) - block.rowwise().squaredNorm()).cwiseMax(0);
    });
    share.gather(left);
    for (Index pivot : pivots) left(pivot) = 0;
    done += columns;
  }
  for (Matrix& piece : factor) piece.conservativeResize(Eigen::NoChange, done);
  return factor;
}

Matrix pivoted_cholesky(const KernelProgram& program, ConstView x, Index rank, std::uint64_t seed, int threads,
                        double enough) {
  const RowShare all({{0, x.rows()}}, rows_per_piece, nullptr);
  const std::vector<Matrix> pieces = pivoted_cholesky(program, x, all, rank, seed, threads, enough);
  Matrix factor(x.rows(), pieces.empty() ? 0 : pieces.front().cols());
  for (Index k = 0; k < all.own_count(); ++k) {
    factor.middleRows(all.own_piece(k).first, pieces[static_cast<std::size_t>(k)].rows()) =
        pieces[static_cast<std::size_t>(k)];
  }
  return factor;
}

}  // namespace gpcv
