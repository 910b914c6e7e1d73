#include "evaluation/neighbour_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "backends/dense_kernel.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluation/neighbour_search.hpp"
#include "evaluation/neighbour_variance.hpp"
#include "evaluation/row_cells.hpp"
#include "solvers/factorise.hpp"

namespace gpcv {
namespace {

/// Numbers of neighbours that may be chosen. 2048 take at most 75 s of processor time of a model of 20 000 rows, for
/// any number of points.
constexpr std::array<Index, 5> candidates{128, 256, 512, 1024, 2048};
/// Neighbours from which the exact deviation is extrapolated first, and the excess of the fewest that needs no more.
constexpr Index enough_to_tell = 512;
constexpr double clearly_accepted = accepted_excess / 3;
/// Groups of similar rows, and the rows of each, that are the sample. Any seed does, one seed gives one result.
constexpr Index sampled_groups = 8, rows_of_group = 8;
constexpr std::uint64_t choice_seed = 1;

/// Variances of training rows, each predicted from neighbours without itself.
class LeaveOneOut {
 public:
  LeaveOneOut(const KernelProgram& program, const Matrix& x, double noise)
      : program_(program), x_(x), noise_(noise), search_(program, x, noise) {}

  /// Variance of the observation of each row by the best neighbours of all of them.   worth: of every training row
  Vector variances(const std::vector<Index>& rows, Vector worth, Index neighbours) const {
    worth(rows).setConstant(std::numeric_limits<double>::infinity());
    const std::vector<Index> s = NeighbourSearch::best(worth, std::min(neighbours, x_.rows()));
    Matrix unit = Matrix::Zero(static_cast<Index>(s.size()), static_cast<Index>(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      unit(std::lower_bound(s.begin(), s.end(), rows[r]) - s.begin(), static_cast<Index>(r)) = 1;
    }
    // v_i = 1/[C⁻¹]_ii,  [C⁻¹]_ii = ‖L⁻¹e_i‖²
    const Matrix near = x_(s, Eigen::all);
    return factorise(program_, near, noise_, 1).half_solve(unit).colwise().squaredNorm().cwiseInverse();
  }

  const NeighbourSearch& search() const { return search_; }

 private:
  const KernelProgram& program_;
  const Matrix& x_;
  double noise_;
  NeighbourSearch search_;
};

/// Variances of the sample, a column for each number of neighbours, and the sharpest bound that is known of each.
struct SampledVariances {
  Matrix by_count;
  Vector sharpest;
};

/// Where each row has its own neighbours, whatever their number, the sample is any rows.
SampledVariances of_single_rows(const LeaveOneOut& without, const KernelProgram& program, const Matrix& x,
                                const std::vector<Index>& counts, int threads) {
  Random random(choice_seed);
  std::vector<Index> sample = random.permutation(x.rows());
  sample.resize(std::min<std::size_t>(sample.size(), sampled_groups * rows_of_group));
  SampledVariances out{Matrix(static_cast<Index>(sample.size()), static_cast<Index>(counts.size())), {}};
  for (std::size_t first = 0; first < sample.size(); first += rows_of_group) {
    const std::size_t count = std::min<std::size_t>(rows_of_group, sample.size() - first);
    const std::vector<Index> rows(sample.begin() + static_cast<std::ptrdiff_t>(first),
                                  sample.begin() + static_cast<std::ptrdiff_t>(first + count));
    const Matrix cross = dense_kernel(program, x, x(rows, Eigen::all), threads);
    parallel_for(static_cast<int>(count), threads, [&](int i) {
      const Vector worth = without.search().worth(cross.col(i));
      for (std::size_t c = 0; c < counts.size(); ++c) {
        out.by_count(static_cast<Index>(first) + i, static_cast<Index>(c)) =
            without.variances({rows[static_cast<std::size_t>(i)]}, worth, counts[c])(0);
      }
    });
  }
  out.sharpest = out.by_count.rightCols(1);
  return out;
}

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

/// Where points of a cell share more than `own` neighbours, the sample is groups of similar rows.
SampledVariances of_groups(const LeaveOneOut& without, const KernelProgram& program, const Matrix& x,
                           const std::vector<Index>& counts, Index own, int threads) {
  const auto sample = sample_of(RowCells(program, x, rows_of_group));
  std::vector<std::unique_ptr<RowCells>> cells(counts.size());
  parallel_for(static_cast<int>(counts.size()), threads, [&](int c) {
    const Index k = counts[static_cast<std::size_t>(c)];
    if (k > own) {
      cells[static_cast<std::size_t>(c)] =
          std::make_unique<RowCells>(program, x, std::max(rows_of_group, rows_per_cell(k)));
    }
  });
  std::vector<Index> first_of;
  Index size = 0;
  for (const std::vector<Index>& rows : sample) {
    first_of.push_back(size);
    size += static_cast<Index>(rows.size());
  }
  SampledVariances out{Matrix(size, static_cast<Index>(counts.size())), Vector(size)};
  parallel_for(static_cast<int>(sample.size()), threads, [&](int group) {
    const std::vector<Index>& rows = sample[static_cast<std::size_t>(group)];
    const auto m = static_cast<Index>(rows.size()), first = first_of[static_cast<std::size_t>(group)];
    for (std::size_t c = 0; c < counts.size(); ++c) {
      auto v = out.by_count.col(static_cast<Index>(c)).segment(first, m);
      if (cells[c]) {
        // A group lies in one cell, because all trees are halved alike.
        const std::vector<Index>& about = cells[c]->members(cells[c]->cell_of(x, rows.front()));
        v = without.variances(rows, without.search().worth_for(about), counts[c]);
        continue;
      }
      for (Index i = 0; i < m; ++i) {
        const std::vector<Index> row{rows[static_cast<std::size_t>(i)]};
        v.segment(i, 1) = without.variances(row, without.search().worth_for(row), counts[c]);
      }
    }
    out.sharpest.segment(first, m) = without.variances(rows, without.search().worth_for(rows), counts.back());
  });
  return out;
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

}  // namespace

std::vector<NeighbourExcess> measured_excess(const KernelProgram& program, const Matrix& x, double noise,
                                             const ComputeOptions& compute, Index most) {
  const Index n = x.rows(), own = own_neighbours(compute, n);
  const bool shares = own < candidates.back();
  const int threads = std::max(1, compute.threads);
  std::vector<Index> counts;
  for (const Index k : candidates) {
    if (k < n && k <= most && (shares || k <= most_own_neighbours)) counts.push_back(k);
  }
  if (n <= std::min(most, candidates.back())) counts.push_back(n);
  const LeaveOneOut without(program, x, noise);
  const SampledVariances sample = shares ? of_groups(without, program, x, counts, own, threads)
                                         : of_single_rows(without, program, x, counts, threads);
  const Matrix& variances = sample.by_count;
  const Vector sharp = sample.sharpest.cwiseMin(variances.rightCols(1));
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
                                  const ComputeOptions& compute) {
  const auto excess_of = [&](const NeighbourExcess& one) { return latent ? one.latent : one.observed; };
  // Few neighbours tell where few suffice, in a hundredth of the time.
  const NeighbourExcess fewest = measured_excess(program, x, noise, compute, enough_to_tell).front();
  if (excess_of(fewest) <= clearly_accepted) return fewest;
  const std::vector<NeighbourExcess> measured = measured_excess(program, x, noise, compute);
  for (const NeighbourExcess& one : measured) {
    if (excess_of(one) <= accepted_excess) return one;
  }
  return measured.back();
}

}  // namespace gpcv
