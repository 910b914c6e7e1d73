#include "model/design.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/columns/spread.hpp"
#include "gpcv/error.hpp"
#include "gpcv/operator.hpp"

namespace gpcv {
namespace {

/// Prior standard deviation of a coefficient, in standard deviations of the target. No coefficient is expected to be
/// larger, and a larger value would only lose digits.
constexpr double vague = 10;

/// Kernel with every parameter held fixed, the variance at `variance` and the length scales at `lengths`.
Kernel held(const char* text, Index d, double variance, const Vector& lengths) {
  const Kernel kernel = Kernel::parse(text).bind(d);
  std::vector<Parameter> parameters(kernel.parameters().begin(), kernel.parameters().end());
  Index at = 0;
  for (Parameter& p : parameters) {
    p.value = p.role == Role::variance ? variance : lengths(at++);
    p.fixed = p.given = true;
  }
  return kernel.with_parameters(std::move(parameters));
}

}  // namespace

Kernel with_mean(const Kernel& kernel, Mean mean, ConstView x, ConstVectorView y) {
  if (mean == Mean::zero) return kernel;
  const double variance = vague * vague * std::max(y.squaredNorm() / static_cast<double>(y.size()), 1e-300);
  const Kernel constant = held("const(s2=1:fixed)", x.cols(), variance, {});
  if (mean == Mean::constant) return kernel + constant;
  Vector spreads(x.cols());
  for (Index c = 0; c < x.cols(); ++c) {
    const double deviation = spread(x.col(c)).deviation;
    spreads(c) = deviation > 0 ? deviation : 1;
  }
  return kernel + constant + held("linear(ard, s2=1:fixed)", x.cols(), variance, spreads);
}

RowNoise RowNoise::of(const Dataset& data) {
  RowNoise noise;
  noise.given = data.noise.size() > 0;
  noise.trust = data.trust;
  if (!noise.given && noise.trust.size() == 0) return noise;
  const Vector deviations = noise.given ? data.noise : Vector::Ones(noise.trust.size());
  noise.known = noise.given && !data.columns.noise_is_weight;
  noise.learned = data.noise_is_learned;
  noise.reference = std::exp(deviations.array().log().mean());
  noise.row_scale = noise.reference * deviations.cwiseInverse();
  if (noise.trust.size() > 0) noise.row_scale = noise.row_scale.cwiseProduct(noise.trust.cwiseSqrt());
  if (!noise.row_scale.allFinite() || !(noise.row_scale.minCoeff() > 0)) {
    throw InputError("the noise of the rows must be positive, and not so far apart that its ratios overflow");
  }
  return noise;
}

RowNoise RowNoise::without_trust() const {
  RowNoise out = *this;
  out.trust.resize(0);
  if (trust.size() == 0) return out;
  out.row_scale = given ? Vector(row_scale.cwiseQuotient(trust.cwiseSqrt())) : Vector();
  return out;
}

Vector RowNoise::trusted_residuals(const Vector& residuals) const {
  return trust.size() == 0 || residuals.size() == 0 ? residuals : residuals.cwiseQuotient(trust.cwiseSqrt());
}

Vector RowNoise::trusted_variances(const Vector& variances, double noise) const {
  if (trust.size() == 0 || variances.size() == 0) return variances;
  // Rounding must not make the variance of the function negative.
  return (variances.array() - noise).max(0) / trust.array() + noise;
}

Vector RowNoise::trusted_losses(Vector losses) const {
  for (Index i = 0; i < trust.size(); ++i) {
    if (trust(i) < RowTrust::distrusted_below) losses(i) = 0;
  }
  return losses;
}

void RowNoise::apply(Problem& problem) const {
  if (empty()) return;
  const Index d = problem.x.cols();
  problem.x.conservativeResize(Eigen::NoChange, d + 1);
  problem.x.col(d) = row_scale;
  problem.y = problem.y.cwiseProduct(row_scale);
  problem.kernel =
      problem.kernel.widened(d + 1) * Kernel::parse(fmt::format("linear(on=[{}], s2=1:fixed)", d)).bind(d + 1);
}

}  // namespace gpcv
