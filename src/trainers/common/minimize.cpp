#include "trainers/common/minimize.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <nlopt.hpp>

namespace gpcv {
namespace {

/// Largest number of passes. Each pass restarts L-BFGS from the best point, because its line search sometimes fails
/// although the gradient shows a direction of descent.
constexpr int most_passes = 4;

std::vector<double> as_std(const Vector& v) { return {v.begin(), v.end()}; }

class Run {
 public:
  Run(const Objective& objective, const Vector& lower, const Vector& upper, const MinimizeOptions& options,
      const Progress& progress)
      : objective_(objective), lower_(lower), upper_(upper), options_(options), progress_(progress) {}

  MinimizeResult from(const Vector& start) {
    result_.u = start;
    result_.value = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < most_passes; ++pass) {
      const double before = result_.value;
      one_pass();
      if (error_) std::rethrow_exception(error_);
      if (stopped_) {
        result_.status = Status::stopped;
        return result_;
      }
      if (!std::isfinite(result_.value)) {
        result_.status = Status::numerical_failure;
        return result_;
      }
      if (result_.evaluations >= options_.max_evaluations) {
        result_.status = Status::max_iterations;
        return result_;
      }
      // The run has converged if the gradient is small or a restart from the best point brings no improvement.
      const double scale = std::max(1.0, std::abs(result_.value));
      if (result_.gradient_norm <= options_.gradient_tolerance * scale ||
          before - result_.value <= options_.relative_tolerance * scale) {
        result_.status = Status::converged;
        return result_;
      }
    }
    result_.status = Status::max_iterations;
    return result_;
  }

 private:
  void one_pass() {
    nlopt::opt optimizer(nlopt::LD_LBFGS, static_cast<unsigned>(lower_.size()));
    optimizer.set_lower_bounds(as_std(lower_));
    optimizer.set_upper_bounds(as_std(upper_));
    optimizer.set_min_objective(&Run::evaluate, this);
    optimizer.set_ftol_rel(options_.relative_tolerance);
    optimizer_ = &optimizer;
    std::vector<double> u = as_std(result_.u);
    double value = 0;
    try {
      optimizer.optimize(u, value);
    } catch (const std::exception&) {
      // The optimiser was stopped, or its line search failed. evaluate() has kept the best point.
    }
  }

  static double evaluate(const std::vector<double>& point, std::vector<double>& gradient, void* self) {
    return static_cast<Run*>(self)->evaluate(point, gradient);
  }

  double evaluate(const std::vector<double>& point, std::vector<double>& gradient) {
    // A line search continues for a while after force_stop(); it is answered without an evaluation.
    if (error_ || stopped_ || result_.evaluations >= options_.max_evaluations) {
      std::fill(gradient.begin(), gradient.end(), 0.0);
      return result_.value;
    }
    try {
      const Vector u = Eigen::Map<const Vector>(point.data(), static_cast<Index>(point.size()));
      Vector g = Vector::Zero(u.size());
      double value = objective_(u, g);
      ++result_.evaluations;
      const bool usable = std::isfinite(value) && g.allFinite();
      const double norm = usable ? projected_norm(u, g, lower_, upper_) : 0;
      if (!usable) {
        // The large value makes the line search back away from this point.
        value = std::isfinite(result_.value) ? result_.value + 1e3 * (1 + std::abs(result_.value)) : 1e12;
        g.setZero();
      } else if (value < result_.value) {
        result_.value = value;
        result_.u = u;
        result_.gradient_norm = norm;
      }
      if (!gradient.empty()) std::copy(g.begin(), g.end(), gradient.begin());
      if (usable && progress_ && !progress_(u, value, norm)) {
        stopped_ = true;
      }
      if (stopped_ || result_.evaluations >= options_.max_evaluations) optimizer_->force_stop();
      return value;
    } catch (...) {
      error_ = std::current_exception();
      optimizer_->force_stop();
      return 0;
    }
  }

  const Objective& objective_;
  const Vector& lower_;
  const Vector& upper_;
  const MinimizeOptions& options_;
  const Progress& progress_;
  nlopt::opt* optimizer_ = nullptr;
  MinimizeResult result_;
  bool stopped_ = false;
  std::exception_ptr error_;
};

}  // namespace

double projected_norm(const Vector& u, const Vector& gradient, const Vector& lower, const Vector& upper) {
  double norm = 0;
  for (Index i = 0; i < u.size(); ++i) {
    const bool blocked = (gradient(i) > 0 && u(i) <= lower(i)) || (gradient(i) < 0 && u(i) >= upper(i));
    if (!blocked) norm = std::max(norm, std::abs(gradient(i)));
  }
  return norm;
}

MinimizeResult minimize(const Objective& objective, const Vector& start, const Vector& lower, const Vector& upper,
                        const MinimizeOptions& options, const Progress& progress) {
  if (start.size() == 0) {
    Vector gradient;
    MinimizeResult result;
    result.u = start;
    result.value = objective(start, gradient);
    result.evaluations = 1;
    if (progress) progress(start, result.value, 0);
    result.status = std::isfinite(result.value) ? Status::converged : Status::numerical_failure;
    return result;
  }
  return Run(objective, lower, upper, options, progress).from(start.cwiseMax(lower).cwiseMin(upper));
}

}  // namespace gpcv
