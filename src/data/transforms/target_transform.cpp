/// T, its inverse and its derivative.
#include "gpcv/target_transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpcv {
namespace {

using Kind = TargetTransform::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Largest result of an inverse, and its logarithm.
constexpr double largest = 1e150, largest_log = 345.38776394910684;

/// g(u) = (e^{pu} − 1)/p, and u for p = 0.
double power(double u, double p) { return p == 0 ? u : std::expm1(p * u) / p; }
/// u = log(1 + p g)/p, and g for p = 0.
double power_inverse(double g, double p) { return p == 0 ? g : std::log1p(p * g) / p; }

/// Yeo–Johnson: g(log(1 + x); λ) for x ≥ 0, −g(log(1 − x); 2 − λ) for x < 0.
double yeo_johnson(double x, double lambda) {
  return x >= 0 ? power(std::log1p(x), lambda) : -power(std::log1p(-x), 2 - lambda);
}
double yeo_johnson_inverse(double t, double lambda) {
  const auto grown = [](double u) { return std::expm1(std::min(u, largest_log)); };
  return t >= 0 ? grown(power_inverse(t, lambda)) : -grown(power_inverse(-t, 2 - lambda));
}
/// (1 + x)^{λ − 1} for x ≥ 0, (1 − x)^{1 − λ} for x < 0.
double yeo_johnson_derivative(double x, double lambda) {
  return x >= 0 ? std::pow(1 + x, lambda - 1) : std::pow(1 - x, 1 - lambda);
}

/// l + (u − l)/(1 + e^{−t}), from the nearer bound, so that no digit is lost there.
double logit_inverse(double t, double lower, double upper) {
  const double part = (upper - lower) / (1 + std::exp(std::abs(t)));
  return t < 0 ? lower + part : upper - part;
}

}  // namespace

bool TargetTransform::contains(double y) const { return std::isfinite(forward(y)); }

double TargetTransform::forward(double y) const {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::log:
      return y + offset > 0 ? std::log(y + offset) : -infinity;
    case Kind::logit:
      return y <= lower ? -infinity : y >= upper ? infinity : std::log((y - lower) / (upper - y));
    case Kind::sqrt:
      return y >= 0 ? std::sqrt(y) : -infinity;
    case Kind::yeo_johnson:
      return yeo_johnson((y - centre) / scale, lambda);
  }
  return y;
}

double TargetTransform::inverse(double t) const {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::log:
      return std::exp(std::min(t, largest_log)) - offset;
    case Kind::logit:
      return logit_inverse(t, lower, upper);
    case Kind::sqrt:
      return t <= 0 ? 0 : std::min(t * t, largest);  // NaN stays NaN
    case Kind::yeo_johnson:
      return std::clamp(centre + scale * yeo_johnson_inverse(t, lambda), -largest, largest);
  }
  return t;
}

double TargetTransform::derivative(double y) const {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::log:
      return 1 / (y + offset);
    case Kind::logit:
      // 1/(y − l) + 1/(u − y)
      return (upper - lower) / ((y - lower) * (upper - y));
    case Kind::sqrt:
      return 0.5 / std::sqrt(y);
    case Kind::yeo_johnson:
      return yeo_johnson_derivative((y - centre) / scale, lambda) / scale;
  }
  return 1;
}

Vector TargetTransform::forward(ConstVectorView y) const {
  return y.unaryExpr([this](double value) { return forward(value); });
}

Vector TargetTransform::inverse(ConstVectorView t) const {
  return t.unaryExpr([this](double value) { return inverse(value); });
}

}  // namespace gpcv
