#include "solvers/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/clock.hpp"
#include "core/pieces.hpp"
#include "solvers/host_space.hpp"

namespace gpcv {
namespace {

/// The residual, relative to its start, that a round in single precision aims at: products carry about seven digits,
/// and asking a round for more than four wastes passes.
constexpr double least_fast_reduction = 1e-4;
/// The stagnation threshold: a round has stagnated if it leaves more than this part of the residual it aimed at.
constexpr double stagnation = 0.3;
/// The number of iterations in single precision without halving the worst residual after which the true residual is
/// recomputed.
constexpr int patience = 200;

/// √x; 0 for a negative x that is due to rounding, and NaN for NaN.
double root(double x) { return x < 0 ? 0 : std::sqrt(x); }

/// The columns of one round that have not converged, by their position in the batch.
struct ActiveColumns {
  std::vector<Index> column;  ///< column of b
  Vector target;              ///< norm of the residual at which a column has converged
  Vector rz, squared;         ///< rᵀz and ‖r‖²

  void keep(const std::vector<Index>& stay) {
    for (std::size_t i = 0; i < stay.size(); ++i) column[i] = column[static_cast<std::size_t>(stay[i])];
    column.resize(stay.size());
    target = Vector(target(stay));
  }
};

class Batch {
 public:
  Batch(const LinearSystem& a, const Preconditioner* preconditioner, ConstView b, std::span<const int> system, View x,
        const CgOptions& options)
      : a_(a), preconditioner_(preconditioner), b_(b), system_(system), x_(x), options_(options) {}

  CgSummary run() {
    if (!find_scale()) return fail();
    Matrix residual(b_.rows(), b_.cols());
    bool fast = a_.has_fast_arithmetic() && !(options_.step_tolerance > 0);  // its single round is the last
    bool known = x_.isZero(0);
    if (known) residual = b_;
    Vector previous = Vector::Constant(b_.cols(), infinite);
    for (;;) {
      if (!known) true_residual(residual, options_.verify ? Arithmetic::exact : Arithmetic::fast);
      known = false;
      const Vector relative = relative_norms(residual);
      if (!relative.allFinite()) return fail();
      summary_.residual = relative.size() > 0 ? relative.maxCoeff() : 0;
      std::vector<Index> open;
      for (Index c = 0; c < relative.size(); ++c) {
        if (relative(c) > options_.tolerance) open.push_back(c);
      }
      if (open.empty()) return finish(Status::converged);
      if (stopped_) return finish(Status::stopped);
      if (exhausted()) return finish(Status::max_iterations);
      for (Index c : open) {
        if (fast && relative(c) > stagnation * previous(c)) {
          fast = false;
          summary_.returned_to_double = true;
        }
      }
      // In double, a second round without gain is limited by rounding, not by slow convergence.
      if (!fast && rounds_in_double_ > 1 && !gained(relative, previous, open)) {
        return finish(broke_down_ ? Status::numerical_failure : Status::max_iterations);
      }
      if (!fast) ++rounds_in_double_;
      previous = relative;
      round(residual, relative, open, fast ? Arithmetic::fast : Arithmetic::exact);
      if (left_device_) previous.setConstant(infinite);
      if (stopped_ || exhausted() || left_device_) continue;
      if (options_.step_tolerance > 0) return broke_down_ ? fail() : finish_by_recurrence();
      if (!options_.verify && !broke_down_) {
        summary_.residual = recurrence_residual_;
        if (recurrence_residual_ <= options_.tolerance) return finish(Status::converged);
      }
    }
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  static bool gained(const Vector& now, const Vector& before, const std::vector<Index>& open) {
    return std::all_of(open.begin(), open.end(), [&](Index c) { return now(c) < 0.5 * before(c); });
  }

  CgSummary finish(Status status) {
    summary_.status = status;
    return summary_;
  }
  CgSummary finish_by_recurrence() {
    summary_.residual = recurrence_residual_;
    return finish(Status::converged);
  }
  CgSummary fail() {
    summary_.residual = std::numeric_limits<double>::quiet_NaN();
    return finish(Status::numerical_failure);
  }
  bool exhausted() const { return summary_.iterations >= options_.max_iterations; }

  /// Computes ‖b_c‖ of every column; returns false if it is no norm: b is not finite, or the preconditioner is not
  /// positive definite.
  bool find_scale() {
    if (!b_.allFinite()) return false;
    scale_ = squares(b_);
    if (!scale_.allFinite() || (scale_.array() < 0).any()) return false;
    scale_ = scale_.cwiseSqrt();
    return true;
  }

  /// The squared norm of every column that the options ask for: rᵀr or rᵀMr.
  Vector squares(ConstView r) const {
    if (!natural()) {
      return sum_pieces(r.rows(), r.cols(), options_.threads, [&](Index c, Index first, Index count) {
        return r.col(c).segment(first, count).squaredNorm();
      });
    }
    Matrix z(r.rows(), r.cols());
    preconditioner_->apply(r, system_, z);
    return (r.array() * z.array()).colwise().sum();
  }
  bool natural() const { return options_.natural_norm && preconditioner_ != nullptr; }

  Vector relative_norms(const Matrix& residual) const {
    Vector relative = squares(residual);
    for (Index c = 0; c < relative.size(); ++c) relative(c) = scale_(c) == 0 ? 0 : root(relative(c)) / scale_(c);
    return relative;
  }

  void product(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) {
    const Stopwatch watch;
    a_.apply(v, system, y, arithmetic);
    count_product(v.cols(), arithmetic == Arithmetic::fast && a_.has_fast_arithmetic(), watch.seconds());
  }

  void count_product(Index columns, bool fast, double seconds) {
    summary_.product_seconds += seconds;
    summary_.columns += static_cast<double>(columns);
    (fast ? summary_.fast_passes : summary_.exact_passes) += 1;
  }

  /// Computes residual = b − A x, and sets x = 0 in columns with b = 0.
  void true_residual(Matrix& residual, Arithmetic arithmetic) {
    product(x_, system_, residual, arithmetic);
    for_pieces(b_.rows(), b_.cols(), options_.threads, [&](Index c, Index first, Index count) {
      auto piece = residual.col(c).segment(first, count);
      piece = b_.col(c).segment(first, count) - piece;
    });
    for (Index c = 0; c < residual.cols(); ++c) {
      if (scale_(c) == 0) x_.col(c).setZero();
    }
  }

  /// The vectors for the columns of a round, in the space of the products if it has room, otherwise on the host.
  std::unique_ptr<CgVectors> vectors(Index columns, Arithmetic arithmetic) {
    on_device_ = false;
    if (!summary_.returned_to_host) {
      try {
        const Space* device = a_.space(arithmetic);
        std::unique_ptr<CgVectors> there = device != nullptr ? device->vectors(preconditioner_, columns) : nullptr;
        on_device_ = there != nullptr;
        if (on_device_) return there;
      } catch (const OutOfDeviceMemory&) {
        summary_.returned_to_host = true;
      }
    }
    return HostSpace(a_, arithmetic, options_.threads).vectors(preconditioner_, columns);
  }

  double size_of(double squared_r, double rz) const { return root(natural() ? rz : squared_r); }

  /// The norm of the residual at which each open column has converged in this round.
  Vector targets(const Vector& relative, const std::vector<Index>& open, bool single) const {
    Vector target(static_cast<Index>(open.size()));
    for (Index c = 0; c < target.size(); ++c) {
      const Index at = open[static_cast<std::size_t>(c)];
      // The factor ½ allows for the difference between the recurrence and the true residual, if that is verified.
      const double wanted = (options_.verify ? 0.5 : 1) * options_.tolerance;
      const double reachable = single && options_.verify ? least_fast_reduction * relative(at) : 0;
      target(c) = std::max(wanted, reachable) * scale_(at);
    }
    return target;
  }

  /// Runs conjugate gradients for a correction of the open columns and adds it to x.
  void round(const Matrix& start, const Vector& relative, const std::vector<Index>& open, Arithmetic arithmetic) {
    const bool single = arithmetic == Arithmetic::fast && a_.has_fast_arithmetic();
    const auto count = static_cast<Index>(open.size());
    std::vector<int> system;
    for (Index at : open) system.push_back(system_[static_cast<std::size_t>(at)]);
    ActiveColumns active{open, targets(relative, open, single), {}, Vector::Constant(count, infinite)};
    recurrence_residual_ = 0;
    broke_down_ = left_device_ = false;
    const std::unique_ptr<CgVectors> v = vectors(count, arithmetic);
    try {
      active.rz = count == b_.cols() ? v->start(start, system, x_, open)
                                     : v->start(Matrix(start(Eigen::all, open)), system, x_, open);
      iterate(*v, active, single);
    } catch (const OutOfDeviceMemory&) {
      if (!on_device_) throw;
      left_device_ = summary_.returned_to_host = true;
      if (active.rz.size() == 0) return;
    }
    v->finish();
    if (left_device_) return;
    for (std::size_t c = 0; c < active.column.size(); ++c) {
      const auto at = static_cast<Index>(c);
      const double norm = size_of(active.squared(at), active.rz(at));
      recurrence_residual_ = std::max(recurrence_residual_, norm / scale_(active.column[c]));
    }
  }

  void iterate(CgVectors& v, ActiveColumns& active, bool single) {
    double best = infinite;
    int since_best = 0;
    while (!active.column.empty() && !exhausted() && !(single && since_best > patience)) {
      const auto [worst, beta] = step(v, active, single);
      ++since_best;
      if (worst < 0.5 * best) {
        best = worst;
        since_best = 0;
      }
      if (options_.progress && !options_.progress(summary_.iterations, worst)) {
        stopped_ = true;
        break;
      }
      // p = z + β p
      if (!active.column.empty()) v.turn(beta);
    }
  }

  struct Step {
    double worst = 0;  ///< worst relative residual
    Vector beta;       ///< rᵀz / previous rᵀz
  };

  /// Takes one step, x += α p and r −= α A p with α = rᵀz / pᵀA p, and removes columns that have converged.
  Step step(CgVectors& v, ActiveColumns& active, bool single) {
    const auto count = static_cast<Index>(active.column.size());
    const Stopwatch watch;
    const Vector pq = v.multiply();
    count_product(count, single, watch.seconds());
    ++summary_.iterations;
    // Rounding may make the matrix appear indefinite along p; the column then keeps what it has reached.
    const auto sound = [&](Index c) { return pq(c) > 0 && std::isfinite(pq(c)); };
    Vector alpha(count);
    for (Index c = 0; c < count; ++c) alpha(c) = sound(c) ? active.rz(c) / pq(c) : 0;
    const CgVectors::Norms norms = v.advance(alpha);
    const Vector next = v.precondition();  // rᵀz after the step; active.rz is the value before it
    Step result;
    std::vector<Index> stay;
    for (Index c = 0; c < count; ++c) {
      if (!sound(c)) {
        broke_down_ = true;
        continue;
      }
      const double size = scale_(active.column[static_cast<std::size_t>(c)]);
      const double norm = size_of(norms.r(c), next(c)), moved = alpha(c) * std::sqrt(norms.p(c));
      result.worst = std::max(result.worst, norm / size);
      if (norm <= active.target(c) || (options_.step_tolerance > 0 && moved <= options_.step_tolerance)) {
        recurrence_residual_ = std::max(recurrence_residual_, norm / size);
      } else {
        stay.push_back(c);
      }
    }
    result.beta = next(stay).cwiseQuotient(active.rz(stay));
    // Columns keep their order, so that those of one system remain adjacent.
    if (static_cast<Index>(stay.size()) < count) {
      v.keep(stay);
      active.keep(stay);
    }
    active.rz = next(stay);
    active.squared = norms.r(stay);
    return result;
  }

  const LinearSystem& a_;
  const Preconditioner* preconditioner_;
  ConstView b_;
  std::span<const int> system_;
  View x_;
  const CgOptions& options_;
  Vector scale_;  ///< ‖b_c‖
  CgSummary summary_;
  bool stopped_ = false;
  int rounds_in_double_ = 0;
  double recurrence_residual_ = 0;
  bool on_device_ = false;    ///< whether the vectors of the last round were on the device
  bool left_device_ = false;  ///< the device ran out of memory during the last round; x has what it reached
  bool broke_down_ = false;   ///< some column of the last round met a direction without curvature
};

}  // namespace

CgSummary solve_cg(const LinearSystem& a, const Preconditioner* preconditioner, ConstView b,
                   std::span<const int> system, View x, const CgOptions& options) {
  return Batch(a, preconditioner, b, system, x, options).run();
}

}  // namespace gpcv
