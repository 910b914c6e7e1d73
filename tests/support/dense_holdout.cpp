#include "support/dense_holdout.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

namespace gpcv {

DenseHoldout::DenseHoldout(const Holdout& data, const Kernel& kernel, double noise)
    : k_tt(dense_kernel(kernel.lower(), data.x_t, data.x_t, 1)),
      k_vt(dense_kernel(kernel.lower(), data.x_v, data.x_t, 1)),
      c(k_tt),
      y_t(data.y_t),
      y_v(data.y_v) {
  c.diagonal().array() += noise;
}

Matrix DenseHoldout::sigma(double rho) const { return k_vt.transpose() * k_vt + 0.5 * rho * c * c; }

Vector DenseHoldout::weights() const { return c.llt().solve(y_t); }

Vector DenseHoldout::residual() const { return y_v - k_vt * weights(); }

Holdout random_holdout(Random& random, Index training, Index validation, Index d) {
  return {random_inputs(random, training, d), random_inputs(random, validation, d), random_inputs(random, training, 1),
          random_inputs(random, validation, 1)};
}

Problem drawn_problem(const std::string& truth, const std::string& start, const std::string& noise, Index n,
                      std::uint64_t seed, Index d) {
  const Synthetic data = draw(Kernel::parse(truth), {.n = n, .dims = d, .noise = 0.1, .even = d == 1, .seed = seed});
  return {data.x, data.y, Kernel::parse(start).bind(d), Noise::parse(noise)};
}

Vector theta_of(const TrainResult& result, const Problem& problem) {
  Vector theta = result.kernel.theta();
  if (!problem.noise.fixed) {
    theta.conservativeResize(theta.size() + 1);
    theta(theta.size() - 1) = result.noise;
  }
  return theta;
}

double pooled_error(const Problem& problem, const Vector& theta) {
  const Index p = theta.size() - (problem.noise.fixed ? 0 : 1);
  const Kernel kernel = problem.kernel.with({theta.data(), static_cast<std::size_t>(p)});
  const double noise = problem.noise.fixed ? problem.noise.variance : theta(p);
  double sum = 0;
  for (const Fold& fold : problem.folds.folds) {
    sum += DenseHoldout(Holdout::of(problem.x, problem.y, fold), kernel, noise).residual().squaredNorm();
  }
  return sum;
}

Matrix central_differences(const std::function<Vector(const Vector&)>& f, const Vector& u, double h) {
  Matrix j;
  for (Index i = 0; i < u.size(); ++i) {
    const Vector step = h * Vector::Unit(u.size(), i);
    const Vector column = (f(u + step) - f(u - step)) / (2 * h);
    if (i == 0) j.resize(column.size(), u.size());
    j.col(i) = column;
  }
  return j;
}

Vector relative_gradient(const Problem& problem, const Vector& theta) {
  auto error = [&](const Vector& u) { return Vector::Constant(1, pooled_error(problem, u.array().exp())); };
  return central_differences(error, theta.array().log()).transpose() / pooled_error(problem, theta);
}

double brute_force_minimum(const std::function<double(double)>& f, double lower, double upper) {
  constexpr int points = 60;
  const double width = (upper - lower) / points;
  double best = lower, lowest = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= points; ++i) {
    const double at = lower + i * width, value = f(at);
    if (value < lowest) {
      lowest = value;
      best = at;
    }
  }
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = best - width, b = best + width;
  while (b - a > 1e-5) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    (f(left) < f(right) ? b : a) = f(left) < f(right) ? right : left;
  }
  return (a + b) / 2;
}

}  // namespace gpcv
