#include "evaluation/neighbour_variance.hpp"

#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "backends/choice.hpp"
#include "backends/dense_kernel.hpp"
#include "core/parallel.hpp"
#include "gpcv/error.hpp"
#include "solvers/factorise.hpp"

namespace gpcv {
namespace {

/// Points per call of a device, which keeps no K(X, points).
constexpr Index points_at_once = 8192;
/// Points per call where cells share a factorisation: more of them share it.
constexpr Index points_of_cells = Index{1} << 20;
/// Cells between two questions whether to stop: some seconds.
constexpr Index cells_at_once = 64;
/// Columns of a solve in a cell. All solves have this shape, so that a point has the same bits beside any others.
constexpr Index solved_at_once = 16;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The sum over ranks of a vector to which each rank contributes its part. A rank that fails makes all fail.
Vector joined(const Communicator& communicator, Index size, const std::function<void(Vector&)>& fill) {
  // The last number counts the ranks that failed.
  Vector out = Vector::Zero(size + 1);
  std::exception_ptr failure;
  try {
    fill(out);
  } catch (const NumericalError&) {
    failure = std::current_exception();
    out.setZero();
    out(size) = 1;
  }
  communicator.sum({out.data(), static_cast<std::size_t>(out.size())});
  if (failure) std::rethrow_exception(failure);
  if (out(size) > 0) throw NumericalError("a variance could not be found on another rank");
  return out.head(size);
}

}  // namespace

Index own_neighbours(const ComputeOptions& compute, Index training_rows) {
  constexpr Index on_processor = 256;
  return on_device(compute, training_rows, training_rows) ? std::numeric_limits<Index>::max() : on_processor;
}

NeighbourVariance::NeighbourVariance(KernelProgram program, const Matrix& x, double noise, Index neighbours,
                                     const ComputeOptions& compute)
    : program_(std::move(program)),
      x_(x),
      noise_(noise),
      neighbours_(std::min(neighbours, x_.rows())),
      threads_(std::max(1, compute.threads)),
      communicator_(compute.communicator),
      stop_(shared(communicator_.get()) ? nullptr : compute.stop),
      search_(program_, x_, noise_) {
  if (neighbours < 1) throw InputError("the variance needs at least one neighbour");
  if (neighbours_ > own_neighbours(compute, x_.rows())) {
    cells_.emplace(program_, x_, rows_per_cell(neighbours_));
  } else {
    device_ = make_neighbour_solver(program_, x_, noise_, compute);
  }
}

Vector NeighbourVariance::variance(ConstView points) const {
  if (points.rows() == 0) return {};
  if (cells_) return kernel_diagonal(program_, points) - explained_by_cells(points);
  if (!shared(communicator_.get())) return variance_of_rows(points);
  const Index m = points.rows(), first = m * communicator_->rank() / communicator_->size(),
              last = m * (communicator_->rank() + 1) / communicator_->size();
  return joined(*communicator_, m, [&](Vector& out) {
    out.segment(first, last - first) = variance_of_rows(points.middleRows(first, last - first));
  });
}

Index NeighbourVariance::rows_at_once(Index training_rows) const {
  return cells_ ? points_of_cells : device_ ? points_at_once : batch_rows(training_rows);
}

Vector NeighbourVariance::variance_of_rows(ConstView points) const {
  if (points.rows() == 0) return {};
  Vector explained = device_ ? device_->explained(points, neighbours_) : Vector::Constant(points.rows(), nan);
  std::vector<Index> here;
  for (Index p = 0; p < points.rows(); ++p) {
    if (std::isnan(explained(p))) here.push_back(p);
  }
  const auto batch = static_cast<std::size_t>(batch_rows(x_.rows()));
  for (std::size_t first = 0; first < here.size(); first += batch) {
    const std::vector<Index> some(here.begin() + static_cast<std::ptrdiff_t>(first),
                                  here.begin() + static_cast<std::ptrdiff_t>(std::min(here.size(), first + batch)));
    const Matrix cross = dense_kernel(program_, x_, points(some, Eigen::all), threads_);
    parallel_for(static_cast<int>(some.size()), threads_, [&](int p) {
      const std::vector<Index> best = NeighbourSearch::best(search_.worth(cross.col(p)), neighbours_);
      explained(some[static_cast<std::size_t>(p)]) = explained_by(best, cross(best, p));
    });
  }
  return kernel_diagonal(program_, points) - explained;
}

Vector NeighbourVariance::explained_by_cells(ConstView points) const {
  std::map<Index, std::vector<Index>> points_of;
  for (Index p = 0; p < points.rows(); ++p) points_of[cells_->cell_of(points, p)].push_back(p);
  const std::vector<std::pair<Index, std::vector<Index>>> groups(points_of.begin(), points_of.end());
  const auto all = static_cast<Index>(groups.size());
  const auto fill = [&](Vector& out, Index first, Index last) {
    for (Index from = first; from < last; from += cells_at_once) {
      if (stop_ && stop_()) throw Interrupted("stopped before all variances were computed");
      parallel_for(static_cast<int>(std::min(cells_at_once, last - from)), threads_, [&](int g) {
        const auto& [cell, rows] = groups[static_cast<std::size_t>(from + g)];
        out(rows) = explained_in_cell(cell, points(rows, Eigen::all));
      });
    }
  };
  if (!shared(communicator_.get())) {
    Vector out(points.rows());
    fill(out, 0, all);
    return out;
  }
  const Index rank = communicator_->rank(), ranks = communicator_->size();
  return joined(*communicator_, points.rows(),
                [&](Vector& out) { fill(out, all * rank / ranks, all * (rank + 1) / ranks); });
}

/// ‖L⁻¹k_S‖² of each point, where S are the neighbours of the cell and LLᵀ = K_SS + σ²I
Vector NeighbourVariance::explained_in_cell(Index cell, const Matrix& points) const {
  const std::vector<Index> s = NeighbourSearch::best(search_.worth_for(cells_->members(cell)), neighbours_);
  const Matrix near = x_(s, Eigen::all);
  const Cholesky factor = factorise(program_, near, noise_, 1);
  Vector explained(points.rows());
  for (Index first = 0; first < points.rows(); first += solved_at_once) {
    const Index count = std::min(solved_at_once, points.rows() - first);
    Matrix some = points.row(first).replicate(solved_at_once, 1);
    some.topRows(count) = points.middleRows(first, count);
    const Matrix cross = dense_kernel(program_, near, some, 1);
    explained.segment(first, count) = factor.half_solve(cross).colwise().squaredNorm().head(count).transpose();
  }
  return explained;
}

/// k_Sᵀ (K_SS + σ²I)⁻¹ k_S
double NeighbourVariance::explained_by(const std::vector<Index>& s, const Vector& k) const {
  const Matrix near = x_(s, Eigen::all);
  return k.dot(Vector(factorise(program_, near, noise_, 1).solve(k)));
}

}  // namespace gpcv
