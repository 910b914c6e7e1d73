/// Scores of predictions against known targets.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "assessment/losses.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "prediction/standard_error.hpp"

namespace gpcv {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Negative log density of the error r of a prediction with the deviation σ; its limit for σ → 0.
double negative_log_density(double r, double sigma, double degrees) {
  if (sigma == 0) return r == 0 ? -infinity : infinity;
  return std::log(sigma) + standard_negative_log_density(r / sigma, degrees);
}

/// Continuous ranked probability score of the error r of a prediction with the deviation σ; |r| for σ = 0.
double ranked_probability_score(double r, double sigma, double degrees) {
  return sigma == 0 ? std::abs(r) : sigma * standard_crps(r / sigma, degrees);
}

/// Adds the scores of all rows that need a variance.
void add_scores(const Prediction& prediction, ConstVectorView y, Metrics& metrics) {
  const double degrees = prediction.degrees;
  const double z50 = interval_factor(0.5, degrees), z80 = interval_factor(0.8, degrees),
               z95 = interval_factor(0.95, degrees);
  for (Index i = 0; i < y.size(); ++i) {
    const double r = y(i) - prediction.mean(i), sigma = std::sqrt(prediction.variance(i));
    metrics.nlpd += negative_log_density(r, sigma, degrees);
    metrics.crps += ranked_probability_score(r, sigma, degrees);
    metrics.coverage50 += std::abs(r) <= z50 * sigma;
    metrics.coverage80 += std::abs(r) <= z80 * sigma;
    metrics.coverage95 += std::abs(r) <= z95 * sigma;
  }
}

/// The same of a transformed target, whose intervals are images of those of T(y).
void add_transformed_scores(const Prediction& prediction, ConstVectorView y, Metrics& metrics) {
  metrics.nlpd = transformed_losses(prediction, y, Criterion::log).sum();
  metrics.crps = transformed_losses(prediction, y, Criterion::crps).sum();
  const Vector distance = prediction.standardised(y).cwiseAbs();
  const auto inside = [&](double probability) {
    return static_cast<double>((distance.array() <= interval_factor(probability, prediction.degrees)).count());
  };
  metrics.coverage50 = inside(0.5);
  metrics.coverage80 = inside(0.8);
  metrics.coverage95 = inside(0.95);
}

void require_scorable(const Prediction& prediction, ConstVectorView y) {
  const Index n = y.size();
  if (n == 0) throw InputError("there are no targets to evaluate predictions against");
  if (prediction.mean.size() != n) {
    throw InputError(fmt::format("{} predictions cannot be evaluated against {} targets", prediction.mean.size(), n));
  }
  if (prediction.variance.size() != 0 && prediction.variance.size() != n) {
    throw InputError(fmt::format("there are {} variances for {} predictions", prediction.variance.size(), n));
  }
  for (Index i = 0; i < n; ++i) {
    if (!std::isfinite(y(i))) throw InputError(fmt::format("target {} is {}: it must be finite", i, y(i)));
    if (!std::isfinite(prediction.mean(i))) {
      throw InputError(fmt::format("prediction {} is {}: it must be finite", i, prediction.mean(i)));
    }
  }
  for (Index i = 0; i < prediction.variance.size(); ++i) {
    const double v = prediction.variance(i);
    if (!(v >= 0) || std::isinf(v)) {
      throw InputError(fmt::format("the variance of prediction {} is {}: it must be finite and not negative", i, v));
    }
  }
}

}  // namespace

/// Metrics of a prediction; throws InputError if there are no targets. smse is NaN for targets that do not vary; nlpd,
/// crps and the coverages are NaN for predictions without variances. A variance of 0 is a certain prediction: crps is
/// |y − m|, nlpd is ∞ (or −∞ where y = m).
Metrics evaluate(const Prediction& prediction, ConstVectorView y) {
  require_scorable(prediction, y);
  const Vector residual = y - prediction.mean;
  const auto n = static_cast<double>(y.size());

  Metrics metrics;
  metrics.n = y.size();
  const double mse = residual.squaredNorm() / n;
  metrics.rmse = std::sqrt(mse);
  // The rounded mean of equal targets may differ from them, so that the variance itself is not tested.
  const double target_variance = (y.array() - y.mean()).square().mean();
  metrics.smse = y.minCoeff() == y.maxCoeff() ? undefined : mse / target_variance;
  if (prediction.variance.size() == 0) {
    metrics.nlpd = metrics.crps = metrics.coverage50 = metrics.coverage80 = metrics.coverage95 = undefined;
    return metrics;
  }

  prediction.transform.is_none() ? add_scores(prediction, y, metrics) : add_transformed_scores(prediction, y, metrics);
  for (double* sum : {&metrics.nlpd, &metrics.crps, &metrics.coverage50, &metrics.coverage80, &metrics.coverage95}) {
    *sum /= n;
  }
  return metrics;
}

HeldOutRows held_out_rows(const Model& model, bool distrusted) {
  HeldOutRows out;
  const HeldOut& held = model.provenance.held_out;
  for (Index i = 0; i < held.mean.size(); ++i) {
    if (!distrusted && model.provenance.trust.distrusts(i)) continue;
    if (std::isfinite(held.mean(i)) && held.variance(i) > 0) out.rows.push_back(i);
  }
  out.prediction = held_out_prediction(model).rows_at(out.rows);
  out.y = training_targets(model)(out.rows);
  return out;
}

std::vector<CalibrationPoint> calibration_curve(const Prediction& prediction, ConstVectorView y) {
  require_scorable(prediction, y);
  std::vector<CalibrationPoint> curve;
  if (prediction.variance.size() == 0) return curve;
  const bool transformed = !prediction.transform.is_none();
  const Vector distance = (transformed ? prediction.standardised(y) : Vector(y - prediction.mean)).cwiseAbs();
  const Vector deviation = transformed ? Vector::Ones(y.size()) : Vector(prediction.variance.cwiseSqrt());
  for (int percent = 5; percent <= 100; percent += 5) {
    const double promised = percent == 100 ? 0.99 : percent / 100.0;
    const auto inside = distance.array() <= interval_factor(promised, prediction.degrees) * deviation.array();
    curve.push_back({promised, inside.cast<double>().mean()});
  }
  return curve;
}

}  // namespace gpcv
