#include "solvers/pivoted_cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "core/threads.hpp"
#include "operators/dense_kernel.hpp"
#include "solvers/blas.hpp"

namespace gpcv {
namespace {

/// Columns per block: wide enough for matrix products, narrow enough that pivots of one block seldom repeat
/// one another.
constexpr Index block_columns = 64;
/// What is left of K counts as nothing below this part of its trace.
constexpr double exhausted = 1e-14;

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

Matrix pivoted_cholesky(const KernelProgram& program, ConstView x, Index rank, std::uint64_t seed, int threads,
                        double enough) {
  const Index n = x.rows();
  rank = std::min(rank, n);
  Matrix factor(n, rank);
  Vector left = kernel_diagonal(program, x).cwiseMax(0);
  const double trace = left.sum();
  Random random(seed);
  Index done = 0;
  while (done < rank && left.sum() > std::max(enough, exhausted * trace)) {
    const std::vector<Index> pivots = draw_rows(left, std::min(block_columns, rank - done), random);
    if (pivots.empty()) break;
    // G = K(:, S) − F F(S, :)ᵀ
    Matrix g = dense_kernel(program, x, x(pivots, Eigen::all), threads);
    if (done > 0) {
      const Matrix pivot_rows = factor(pivots, Eigen::seqN(0, done));
      multiply(-1, factor.leftCols(done), false, pivot_rows, true, 1, g, threads);
    }
    // G(S, :) = L Lᵀ; pivots that the others of the block explain are dropped.
    Matrix core = g(pivots, Eigen::all);
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
    Matrix block = g(Eigen::all, kept);
    l.topLeftCorner(columns, columns).triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(block);
    factor.middleCols(done, columns) = block;
    left = (left - block.rowwise().squaredNorm()).cwiseMax(0);
    for (Index pivot : pivots) left(pivot) = 0;
    done += columns;
  }
  factor.conservativeResize(n, done);
  return factor;
}

}  // namespace gpcv
