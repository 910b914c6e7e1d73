/// Hold-out splits written out as matrices, and what a trainer should find on them by brute force.
#pragma once

#include <functional>
#include <string>

#include "backends/dense_kernel.hpp"
#include "gpcv/synthetic.hpp"
#include "gpcv/trainer.hpp"
#include "support/random_kernel.hpp"
#include "systems/holdout_system.hpp"

namespace gpcv {

/// One split at one θ.
struct DenseHoldout {
  DenseHoldout(const Holdout& data, const Kernel& kernel, double noise);

  Matrix sigma(double rho) const;
  Vector weights() const;
  /// y_V − K_VT C⁻¹ y_T
  Vector residual() const;

  Matrix k_tt, k_vt, c;
  Vector y_t, y_v;
};

/// A split of random points with random targets.
Holdout random_holdout(Random& random, Index training, Index validation, Index d);

/// Rows drawn from the kernel `truth`; `start` is what a trainer sees.
Problem drawn_problem(const std::string& truth, const std::string& start, const std::string& noise, Index n,
                      std::uint64_t seed, Index d = 1);

/// θ = free kernel parameters, then the noise when it is free, as in IterationRecord::theta.
Vector theta_of(const TrainResult& result, const Problem& problem);

/// Squared hold-out error of all folds together at θ, by Cholesky factorisations.
double pooled_error(const Problem& problem, const Vector& theta);

/// Columns ∂f/∂u_i of a function with vector values, by central differences.
Matrix central_differences(const std::function<Vector(const Vector&)>& f, const Vector& u, double h = 1e-5);

/// Gradient of the pooled error in log θ over the error itself.
Vector relative_gradient(const Problem& problem, const Vector& theta);

/// The lowest point of f on [lower, upper]: a grid, then golden section between the neighbours of its best point.
double brute_force_minimum(const std::function<double(double)>& f, double lower, double upper);

}  // namespace gpcv
