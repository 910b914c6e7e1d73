#include "solvers/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/clock.hpp"
#include "core/pieces.hpp"
#include "solvers/host_vectors.hpp"

namespace gpcv {
namespace {

/// Single-precision products carry about seven digits; asking one round for more than four only wastes passes.
constexpr double least_fast_reduction = 1e-4;
/// A round that leaves more than this part of the residual it aimed at has stagnated.
constexpr double stagnation = 0.3;
/// Iterations in single precision without halving the worst residual after which it is time to look at the true one.
constexpr int patience = 200;

class Batch {
 public:
  Batch(const LinearSystem& a, const Preconditioner* preconditioner, ConstView b, std::span<const int> system, View x,
        const CgOptions& options)
      : a_(a), preconditioner_(preconditioner), b_(b), system_(system), x_(x), options_(options), scale_(b.cols()) {
    scale_ = norms(b_);
  }

  CgSummary run() {
    Matrix residual(b_.rows(), b_.cols());
    bool fast = a_.has_fast_arithmetic() && !(options_.step_tolerance > 0);  // its single round is the last
    bool known = x_.isZero(0);
    if (known) residual = b_;
    Vector previous = Vector::Constant(b_.cols(), std::numeric_limits<double>::infinity());
    for (;;) {
      if (!known) true_residual(residual, options_.verify ? Arithmetic::exact : Arithmetic::fast);
      known = false;
      const Vector relative = relative_norms(residual);
      summary_.residual = relative.size() > 0 ? relative.maxCoeff() : 0;
      if (!relative.allFinite()) return finish(Status::numerical_failure);
      std::vector<Index> open;
      for (Index c = 0; c < relative.size(); ++c) {
        if (relative(c) > options_.tolerance) open.push_back(c);
      }
      if (open.empty()) return finish(Status::converged);
      if (stopped_) return finish(Status::stopped);
      if (summary_.iterations >= options_.max_iterations) return finish(Status::max_iterations);
      for (Index c : open) {
        if (fast && relative(c) > stagnation * previous(c)) {
          fast = false;
          summary_.returned_to_double = true;
        }
      }
      // In double, a second round that gains nothing has met rounding, not slowness.
      if (!fast && rounds_in_double_ > 1 && !gained(relative, previous, open)) return finish(Status::max_iterations);
      if (!fast) ++rounds_in_double_;
      previous = relative;
      round(residual, relative, open, fast ? Arithmetic::fast : Arithmetic::exact);
      if (options_.step_tolerance > 0 && !stopped_ && summary_.iterations < options_.max_iterations) {
        summary_.residual = recurrence_residual_;
        return finish(std::isfinite(recurrence_residual_) ? Status::converged : Status::numerical_failure);
      }
      if (!options_.verify && !stopped_ && summary_.iterations < options_.max_iterations && !broke_down_) {
        summary_.residual = recurrence_residual_;
        if (recurrence_residual_ <= options_.tolerance) return finish(Status::converged);
      }
    }
  }

 private:
  static bool gained(const Vector& now, const Vector& before, const std::vector<Index>& open) {
    return std::all_of(open.begin(), open.end(), [&](Index c) { return now(c) < 0.5 * before(c); });
  }

  CgSummary finish(Status status) {
    summary_.status = status;
    return summary_;
  }

  /// Of every column of b's kind, in the norm the options ask for.
  Vector norms(ConstView r) const {
    if (!natural()) {
      return sum_pieces(r.rows(), r.cols(), options_.threads,
                        [&](Index c, Index first, Index count) { return r.col(c).segment(first, count).squaredNorm(); })
          .cwiseSqrt();
    }
    Matrix z(r.rows(), r.cols());
    preconditioner_->apply(r, system_, z);
    return (r.array() * z.array()).colwise().sum().max(0).sqrt();
  }
  bool natural() const { return options_.natural_norm && preconditioner_ != nullptr; }

  Vector relative_norms(const Matrix& residual) const {
    Vector relative = norms(residual);
    for (Index c = 0; c < relative.size(); ++c) relative(c) = scale_(c) > 0 ? relative(c) / scale_(c) : 0;
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

  /// Where the products are, or here.
  std::unique_ptr<CgVectors> vectors(Index columns, Arithmetic arithmetic) const {
    std::unique_ptr<CgVectors> near = a_.vectors(preconditioner_, columns, arithmetic);
    if (near) return near;
    return std::make_unique<HostVectors>(a_, preconditioner_, arithmetic, options_.threads);
  }

  Vector multiplied(CgVectors& vectors, Index columns, bool single) {
    const Stopwatch watch;
    Vector pq = vectors.multiply();
    count_product(columns, single, watch.seconds());
    return pq;
  }

  double size_of(double squared_r, double rz) const { return std::sqrt(std::max(0.0, natural() ? rz : squared_r)); }

  /// One run of conjugate gradients for a correction of the open columns, which is added to x.
  void round(const Matrix& start, const Vector& relative, const std::vector<Index>& open, Arithmetic arithmetic) {
    const bool single = arithmetic == Arithmetic::fast && a_.has_fast_arithmetic();
    const auto count = static_cast<Index>(open.size());
    std::vector<Index> column = open;  ///< of b, by place in the batch
    std::vector<int> system;
    Vector target(count);  ///< absolute norm at which a column leaves
    for (Index c = 0; c < count; ++c) {
      const Index at = open[static_cast<std::size_t>(c)];
      system.push_back(system_[static_cast<std::size_t>(at)]);
      // Headroom for what the recurrence and the true residual differ by, where that will be looked at.
      const double wanted = (options_.verify ? 0.5 : 1) * options_.tolerance;
      const double reachable = single && options_.verify ? least_fast_reduction * relative(at) : 0;
      target(c) = std::max(wanted, reachable) * scale_(at);
    }
    const std::unique_ptr<CgVectors> v = vectors(count, arithmetic);
    Vector rz = count == b_.cols() ? v->start(start, system, x_, open)
                                   : v->start(Matrix(start(Eigen::all, open)), system, x_, open);
    Vector squared = Vector::Constant(count, std::numeric_limits<double>::infinity());  // ‖r‖²

    recurrence_residual_ = 0;
    broke_down_ = false;
    double best = std::numeric_limits<double>::infinity();
    int since_best = 0;
    while (!column.empty() && summary_.iterations < options_.max_iterations && !(single && since_best > patience)) {
      const auto active = static_cast<Index>(column.size());
      const Vector pq = multiplied(*v, active, single);
      ++summary_.iterations;
      // Rounding may make the matrix look indefinite along p: what was reached stays.
      const auto sound = [&](Index c) { return pq(c) > 0 && std::isfinite(pq(c)); };
      Vector alpha(active);
      for (Index c = 0; c < active; ++c) alpha(c) = sound(c) ? rz(c) / pq(c) : 0;
      const CgVectors::Norms norms = v->advance(alpha);
      const Vector next = v->precondition();  // rᵀz after the step, where rz is that before it
      double worst = 0;
      std::vector<Index> stay;
      for (Index c = 0; c < active; ++c) {
        if (!sound(c)) {
          broke_down_ = true;
          continue;
        }
        const double size = scale_(column[static_cast<std::size_t>(c)]);
        const double norm = size_of(norms.r(c), next(c)), moved = alpha(c) * std::sqrt(norms.p(c));
        worst = std::max(worst, norm / size);
        if (norm <= target(c) || (options_.step_tolerance > 0 && moved <= options_.step_tolerance)) {
          recurrence_residual_ = std::max(recurrence_residual_, norm / size);
        } else {
          stay.push_back(c);
        }
      }
      // Columns keep their order, so that those of one system stay side by side.
      const Vector beta = next(stay).cwiseQuotient(rz(stay));
      if (static_cast<Index>(stay.size()) < active) {
        v->keep(stay);
        for (std::size_t i = 0; i < stay.size(); ++i) column[i] = column[static_cast<std::size_t>(stay[i])];
        column.resize(stay.size());
        target = Vector(target(stay));
      }
      rz = next(stay);
      squared = norms.r(stay);
      ++since_best;
      if (worst < 0.5 * best) {
        best = worst;
        since_best = 0;
      }
      if (options_.progress && !options_.progress(summary_.iterations, worst)) {
        stopped_ = true;
        break;
      }
      // p = z + (rᵀz / previous rᵀz) p
      if (!column.empty()) v->turn(beta);
    }
    v->finish();
    for (std::size_t c = 0; c < column.size(); ++c) {
      const auto at = static_cast<Index>(c);
      recurrence_residual_ = std::max(recurrence_residual_, size_of(squared(at), rz(at)) / scale_(column[c]));
    }
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
  bool broke_down_ = false;  ///< some column of the last round met a direction without curvature
};

}  // namespace

CgSummary solve_cg(const LinearSystem& a, const Preconditioner* preconditioner, ConstView b,
                   std::span<const int> system, View x, const CgOptions& options) {
  return Batch(a, preconditioner, b, system, x, options).run();
}

}  // namespace gpcv
