#include "fit/noise_regression.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

namespace gpcv {
namespace {

/// Deviation of the normal prior of the constant around the logarithm of the mean square: residuals that the function
/// explains alone determine no noise.
constexpr double prior_of_constant = 3;
/// Newton's steps at most, halvings of each, and the decrease that ends them.
constexpr int most_steps = 25, most_halvings = 12;
constexpr double settled = 1e-4;

/// E log ε² of Student's t, or of the normal distribution.
double mean_log_square(double degrees) {
  // log χ²₁ has the mean ψ(½) + log 2 = −1.27; ε² = χ²₁/(χ²_ν/ν).
  const double normal = boost::math::digamma(0.5) + std::numbers::ln2;
  if (std::isinf(degrees)) return normal;
  return normal - boost::math::digamma(degrees / 2) - std::log(2 / degrees);
}

double variance_log_square(double degrees) {
  // ψ'(½) = π²/2 = 4.93
  const double normal = boost::math::trigamma(0.5);
  return std::isinf(degrees) ? normal : normal + boost::math::trigamma(degrees / 2);
}

/// (1, s G) z for the vector z of the constant and a.
Vector linear(const Matrix& g, double deviation, const Vector& z) {
  return (deviation * (g * z.tail(g.cols()))).array() + z(0);
}

/// (1, s G)ᵀ diag(w) (1, s G) + the precision of the prior.
Matrix information(const Matrix& g, double deviation, const Vector& w) {
  const Index m = g.cols();
  Matrix out(m + 1, m + 1);
  const Matrix weighted = deviation * (w.asDiagonal() * g);
  out(0, 0) = w.sum() + 1 / (prior_of_constant * prior_of_constant);
  out.col(0).tail(m) = weighted.colwise().sum().transpose();
  out.row(0).tail(m) = out.col(0).tail(m).transpose();
  out.bottomRightCorner(m, m) = deviation * (g.transpose() * weighted);
  out.diagonal().tail(m).array() += 1;
  return out;
}

}  // namespace

NoiseLikelihood::NoiseLikelihood(const NoiseRows& rows, Vector counts, double degrees, double function_factor)
    : rows_(rows), counts_(std::move(counts)), degrees_(degrees), function_factor_(function_factor) {
  // ½ ln 2π, or −ln Γ((ν + 1)/2) + ln Γ(ν/2) + ½ ln νπ
  constant_ = std::isinf(degrees) ? 0.5 * std::log(2 * std::numbers::pi)
                                  : std::lgamma(0.5 * degrees) - std::lgamma(0.5 * (degrees + 1)) +
                                        0.5 * std::log(degrees * std::numbers::pi);
  const Vector squares = rows.residuals.cwiseAbs2();
  const double mean = std::max(squares.dot(counts_) / counts_.sum(), std::numeric_limits<double>::min());
  level_ = std::log(mean);
  // A residual that happens to be zero says no more than a very small one.
  constexpr double least = 1e-6;
  log_squares_ = squares.cwiseMax(least * mean).array().log() - mean_log_square(degrees);
}

double NoiseLikelihood::negative_log(const Vector& h) const {
  double sum = 0;
  for (Index i = 0; i < h.size(); ++i) {
    if (counts_(i) == 0) continue;
    // ½ log V + ½ q, or ½ log V + ½ (ν + 1) log(1 + q/ν), with V = v + e^h and q = r²/V
    const double v = function_factor_ * rows_.function(i) + std::exp(h(i)), q = std::pow(rows_.residuals(i), 2) / v;
    const double tail = std::isinf(degrees_) ? q : (degrees_ + 1) * std::log1p(q / degrees_);
    sum += counts_(i) * (constant_ + 0.5 * (std::log(v) + tail));
  }
  return sum;
}

void NoiseLikelihood::derivatives(const Vector& h, Vector& gradient, Vector& curvature) const {
  gradient.resize(h.size());
  curvature.resize(h.size());
  const bool normal = std::isinf(degrees_);
  // Var of the score of log V: ½, or ν/(2 (ν + 3))
  const double known = normal ? 0.5 : degrees_ / (2 * (degrees_ + 3));
  for (Index i = 0; i < h.size(); ++i) {
    const double noise = std::exp(h(i)), v = function_factor_ * rows_.function(i) + noise,
                 q = std::pow(rows_.residuals(i), 2) / v;
    const double part = noise / v, pull = normal ? q : (degrees_ + 1) * q / (degrees_ + q);
    gradient(i) = counts_(i) * 0.5 * part * (1 - pull);
    curvature(i) = counts_(i) * known * part * part;
  }
}

NoiseFit fit_noise(const NoiseLikelihood& likelihood, const Matrix& g, double deviation, const NoiseFit* start) {
  const Index m = g.cols();
  const double level = likelihood.level();
  Vector z(m + 1), gradient, curvature;
  if (start != nullptr) {
    z << start->constant, start->a;
  } else {
    const Vector w = likelihood.counts() / variance_log_square(std::numeric_limits<double>::infinity());
    const Vector wz = w.cwiseProduct(likelihood.log_squares());
    Vector right(m + 1);
    right << wz.sum() + level / std::pow(prior_of_constant, 2), deviation * (g.transpose() * wz);
    z = information(g, deviation, w).llt().solve(right);
  }
  const auto cost = [&](const Vector& at) {
    return likelihood.negative_log(linear(g, deviation, at)) + 0.5 * at.tail(m).squaredNorm() +
           0.5 * std::pow((at(0) - level) / prior_of_constant, 2);
  };
  double now = cost(z);
  for (int k = 0; k < most_steps; ++k) {
    likelihood.derivatives(linear(g, deviation, z), gradient, curvature);
    Vector slope(m + 1);
    slope << gradient.sum() + (z(0) - level) / std::pow(prior_of_constant, 2),
        deviation * (g.transpose() * gradient) + z.tail(m);
    const Vector step = information(g, deviation, curvature).llt().solve(slope);
    double length = 1, next = cost(z - step);
    for (int i = 0; i < most_halvings && !(next <= now); ++i) next = cost(z - (length *= 0.5) * step);
    if (!(next <= now)) break;
    z -= length * step;
    const double decrease = now - next;
    now = next;
    if (decrease < settled) break;
  }
  likelihood.derivatives(linear(g, deviation, z), gradient, curvature);
  const Vector roots = information(g, deviation, curvature).llt().matrixLLT().diagonal();
  return {z(0), z.tail(m), -now - roots.array().log().sum()};
}

}  // namespace gpcv
