#include "evaluation/neighbour_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "evaluation/neighbour_search.hpp"
#include "evaluation/neighbour_variance.hpp"
#include "evaluation/row_cells.hpp"
#include "solvers/factorise.hpp"

namespace gpcv {
namespace {

/// Numbers of neighbours that may be chosen. 2048 take at most 75 s of processor time of a model of 20 000 rows, for
/// any number of points; to measure them takes 4 s.
constexpr std::array<Index, 5> candidates{128, 256, 512, 1024, 2048};
/// Groups of similar rows, and the rows of each, that are the sample. Any seed does, one seed gives one result.
constexpr Index sampled_groups = 8, rows_of_group = 8;
constexpr std::uint64_t choice_seed = 1;

/// Variances of a group of training rows, each predicted from neighbours without itself.
class LeaveOneOut {
 public:
  LeaveOneOut(const KernelProgram& program, const Matrix& x, double noise, int threads)
      : program_(program), x_(x), noise_(noise), threads_(threads), search_(program, x, noise) {}

  /// Variance of the observation of each row by the neighbours of `about`.
  Vector variances(const std::vector<Index>& rows, const std::vector<Index>& about, Index neighbours) const {
    Vector worth = search_.worth_for(about);
    worth(rows).setConstant(std::numeric_limits<double>::infinity());
    const std::vector<Index> s = NeighbourSearch::best(worth, std::min(neighbours, x_.rows()));
    Matrix unit = Matrix::Zero(static_cast<Index>(s.size()), static_cast<Index>(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      unit(std::lower_bound(s.begin(), s.end(), rows[r]) - s.begin(), static_cast<Index>(r)) = 1;
    }
    // v_i = 1/[C⁻¹]_ii,  [C⁻¹]_ii = ‖L⁻¹e_i‖²
    const Matrix near = x_(s, Eigen::all);
    return factorise(program_, near, noise_, threads_).half_solve(unit).colwise().squaredNorm().cwiseInverse();
  }

 private:
  const KernelProgram& program_;
  const Matrix& x_;
  double noise_;
  int threads_;
  NeighbourSearch search_;
};

/// A group of similar rows of the sample, at most `rows_of_group`, for each of some cells.
std::vector<std::vector<Index>> sample_of(const RowCells& similar) {
  Random random(choice_seed);
  std::vector<std::vector<Index>> sample;
  for (const Index cell : random.permutation(similar.size())) {
    if (static_cast<Index>(sample.size()) == sampled_groups) break;
    sample.push_back(similar.members(cell));
    sample.back().resize(std::min<std::size_t>(sample.back().size(), rows_of_group));
  }
  return sample;
}

/// Part of the variance by the last number of neighbours that all n rows would take off: each doubling takes off as
/// much less as the one before.   v: mean variances, with twice the neighbours each
double remaining_part(const Vector& v, Index neighbours, Index n) {
  const Index last = v.size() - 1;
  if (neighbours >= n || last < 2) return 0;
  const double before = v(last - 2) - v(last - 1), gain = std::max(0.0, v(last - 1) - v(last));
  const double slower = before > gain ? gain / before : 1;
  const double doublings = std::log2(static_cast<double>(n) / static_cast<double>(neighbours));
  const double sum = slower < 1 ? slower * (1 - std::pow(slower, doublings)) / (1 - slower) : doublings;
  return std::min(0.9, gain * sum / v(last));
}

/// Mean of √(v/exact) − 1
double excess(const Vector& v, const Vector& exact) {
  return std::max(0.0, (v.array() / exact.array()).sqrt().mean() - 1);
}

/// Variances of the sample by k neighbours, found as predictions find them.
Vector variances_by(const LeaveOneOut& without, const KernelProgram& program, const Matrix& x, Index k,
                    const std::vector<std::vector<Index>>& sample) {
  std::vector<double> out;
  const auto append = [&](const Vector& more) { out.insert(out.end(), more.begin(), more.end()); };
  const RowCells cells(program, x, std::max(rows_of_group, rows_per_cell(k)));
  for (const std::vector<Index>& rows : sample) {
    if (k > own_neighbours) {
      // A group lies in one cell, because all trees are halved alike.
      append(without.variances(rows, cells.members(cells.cell_of(x, rows.front())), k));
      continue;
    }
    for (const Index row : rows) append(without.variances({row}, {row}, k));
  }
  return Eigen::Map<Vector>(out.data(), static_cast<Index>(out.size()));
}

}  // namespace

std::vector<NeighbourExcess> measured_excess(const KernelProgram& program, const Matrix& x, double noise, int threads) {
  const Index n = x.rows();
  std::vector<Index> counts;
  for (const Index k : candidates) {
    if (k < n) counts.push_back(k);
  }
  if (n <= candidates.back()) counts.push_back(n);
  const LeaveOneOut without(program, x, noise, threads);
  const auto sample = sample_of(RowCells(program, x, rows_of_group));
  Matrix variances(0, static_cast<Index>(counts.size()));
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const Vector v = variances_by(without, program, x, counts[c], sample);
    variances.conservativeResize(v.size(), Eigen::NoChange);
    variances.col(static_cast<Index>(c)) = v;
  }
  std::vector<double> nearest;
  for (const std::vector<Index>& rows : sample) {
    const Vector v = without.variances(rows, rows, counts.back());
    nearest.insert(nearest.end(), v.begin(), v.end());
  }
  const Vector sharp = Eigen::Map<Vector>(nearest.data(), variances.rows()).cwiseMin(variances.rightCols(1));
  const Vector means = variances.colwise().mean().transpose(), latent_means = (means.array() - noise).max(0);
  const Vector exact = (1 - remaining_part(means, counts.back(), n)) * sharp;
  const Vector least = 1e-12 * exact;
  const Vector latent_exact =
      ((1 - remaining_part(latent_means, counts.back(), n)) * (sharp.array() - noise)).max(least.array());
  std::vector<NeighbourExcess> out;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const Vector v = variances.col(static_cast<Index>(c)), latent = (v.array() - noise).max(least.array());
    out.push_back({counts[c], excess(v, exact.cwiseMax(noise)), excess(latent, latent_exact)});
  }
  return out;
}

NeighbourExcess chosen_neighbours(const KernelProgram& program, const Matrix& x, double noise, bool latent,
                                  int threads) {
  const std::vector<NeighbourExcess> measured = measured_excess(program, x, noise, threads);
  for (const NeighbourExcess& one : measured) {
    if ((latent ? one.latent : one.observed) <= accepted_excess) return one;
  }
  return measured.back();
}

}  // namespace gpcv
