#include "evaluation/neighbour_variance.hpp"

#include <cmath>
#include <exception>
#include <functional>
#include <limits>

#include "backends/dense_kernel.hpp"
#include "core/parallel.hpp"
#include "gpcv/error.hpp"
#include "solvers/factorise.hpp"

namespace gpcv {
namespace {

/// Points per call of a device, which keeps no K(X, points).
constexpr Index points_at_once = 8192;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

NeighbourVariance::NeighbourVariance(KernelProgram program, const Matrix& x, double noise, Index neighbours,
                                     const ComputeOptions& compute)
    : program_(std::move(program)),
      x_(x),
      noise_(noise),
      scale_((kernel_diagonal(program_, x_).array() + noise_).inverse()),
      neighbours_(std::min(neighbours, x_.rows())),
      threads_(std::max(1, compute.threads)),
      communicator_(compute.communicator),
      device_(make_neighbour_solver(program_, x_, noise_, compute)) {
  if (neighbours < 1) throw InputError("the variance needs at least one neighbour");
}

Vector NeighbourVariance::variance(ConstView points) const {
  if (!shared(communicator_.get())) return own_variance(points);
  // Each rank computes its own points; the last number counts the ranks that failed, so that all fail together.
  const Index m = points.rows(), first = m * communicator_->rank() / communicator_->size(),
              last = m * (communicator_->rank() + 1) / communicator_->size();
  Vector out = Vector::Zero(m + 1);
  std::exception_ptr failure;
  try {
    out.segment(first, last - first) = own_variance(points.middleRows(first, last - first));
  } catch (const NumericalError&) {
    failure = std::current_exception();
    out(m) = 1;
  }
  communicator_->sum({out.data(), static_cast<std::size_t>(out.size())});
  if (failure) std::rethrow_exception(failure);
  if (out(m) > 0) throw NumericalError("a variance could not be found on another rank");
  return out.head(m);
}

Index NeighbourVariance::rows_at_once(Index training_rows) const {
  return device_ ? points_at_once : batch_rows(training_rows);
}

Vector NeighbourVariance::own_variance(ConstView points) const {
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
      const std::vector<Index> best = best_neighbours(cross.col(p));
      explained(some[static_cast<std::size_t>(p)]) = explained_by(best, cross(best, p));
    });
  }
  return kernel_diagonal(program_, points) - explained;
}

std::vector<Index> NeighbourVariance::best_neighbours(const Eigen::Ref<const Vector>& cross) const {
  // k(x*, x_i)²/(k_ii + σ²) is what point i alone takes off the prior variance.
  const Vector worth = cross.array().square() * scale_.array();
  Vector order = worth;
  std::nth_element(order.begin(), order.begin() + (neighbours_ - 1), order.end(), std::greater<>());
  const double least = order(neighbours_ - 1);
  // Among the points that are worth the same as the last one, the first are taken.
  Index equals = neighbours_ - (order.head(neighbours_).array() > least).count();
  std::vector<Index> best;
  best.reserve(static_cast<std::size_t>(neighbours_));
  for (Index i = 0; i < worth.size(); ++i) {
    if (worth(i) > least || (worth(i) == least && equals-- > 0)) best.push_back(i);
  }
  return best;
}

/// k_Sᵀ (K_SS + σ²I)⁻¹ k_S
double NeighbourVariance::explained_by(const std::vector<Index>& s, const Vector& k) const {
  const Matrix near = x_(s, Eigen::all);
  return k.dot(Vector(factorise(program_, near, noise_, 1).solve(k)));
}

}  // namespace gpcv
