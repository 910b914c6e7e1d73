#include "gpcv/assessment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "prediction/standard_error.hpp"

namespace gpcv {
namespace {

constexpr double outlier = 4;

Vector ranks(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) < values(b); });
  Vector rank(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank(order[i]) = static_cast<double>(i);
  return rank;
}

double correlation(const Vector& a, const Vector& b) {
  const Vector u = a.array() - a.mean(), v = b.array() - b.mean();
  const double scale = u.norm() * v.norm();
  return scale > 0 ? u.dot(v) / scale : 0;
}

Histogram histogram_of(const Vector& z, double degrees) {
  constexpr int bins = 21;  // bins of width ½, one of them around 0
  Histogram h{Vector::LinSpaced(bins + 1, -5.25, 5.25), Vector::Zero(bins), Vector(bins)};
  for (const double value : z) {
    h.counts(static_cast<int>(std::floor(2 * (std::clamp(value, -5.0, 5.0) + 5.25)))) += 1;
  }
  for (int b = 0; b < bins; ++b) {
    const double below = b == 0 ? 0 : probability_below(h.edges(b), degrees),
                 above = b + 1 == bins ? 1 : probability_below(h.edges(b + 1), degrees);
    h.expected(b) = static_cast<double>(z.size()) * (above - below);
  }
  return h;
}

/// Computes all measures that need z, on the rows `known` to have a standard deviation. `prediction` is that of all
/// rows.
void assess_spread(Assessment& a, const std::vector<Index>& known, Prediction prediction) {
  const double degrees = prediction.degrees;
  if (!prediction.transform.is_none()) a.transformed_z = prediction.standardised(a.y);
  prediction = prediction.rows_at(known);
  prediction.variance = a.deviation(known).cwiseAbs2();
  const Vector y = a.y(known);
  const auto n = static_cast<double>(known.size());
  const Metrics m = evaluate(prediction, y);
  a.metrics.nlpd = m.nlpd;
  a.metrics.crps = m.crps;
  a.metrics.coverage50 = m.coverage50;
  a.metrics.coverage80 = m.coverage80;
  a.metrics.coverage95 = m.coverage95;
  for (const auto& [promised, covered] : {std::pair{0.5, m.coverage50}, {0.8, m.coverage80}, {0.95, m.coverage95}}) {
    a.coverage.push_back({promised, covered, std::sqrt(promised * (1 - promised) / n)});
  }
  a.calibration = judged(a.coverage);
  a.curve = calibration_curve(prediction, y);

  const Vector z = prediction.standardised(y);
  a.histogram = histogram_of(z, degrees);
  a.outliers = (z.array().abs() > outlier).count();
  a.expected_outliers = 2 * probability_below(-outlier, degrees) * n;
  Index worst = 0;
  z.cwiseAbs().maxCoeff(&worst);
  a.worst = known[static_cast<std::size_t>(worst)];
  a.worst_z = z(worst);
  const Vector centred = z.array() - z.mean();
  const double variance = centred.squaredNorm() / n;
  a.skewness = variance > 0 ? centred.array().cube().mean() / std::pow(variance, 1.5) : 0;
  a.spread_trend = correlation(ranks(z.cwiseAbs()), ranks(prediction.mean));
}

}  // namespace

Assessment assess(const Prediction& prediction, ConstVectorView y) {
  Assessment a;
  for (Index i = 0; i < prediction.mean.size(); ++i) {
    if (std::isfinite(prediction.mean(i))) a.rows.push_back(i);
  }
  if (a.empty()) return a;
  a.y = y(a.rows);
  a.mean = prediction.mean(a.rows);
  a.metrics = evaluate({a.mean, {}}, a.y);
  a.deviation = Vector::Constant(a.y.size(), std::nan(""));
  std::vector<Index> known;
  for (Index i = 0; prediction.variance.size() > 0 && i < a.y.size(); ++i) {
    const double variance = prediction.variance(a.rows[static_cast<std::size_t>(i)]);
    if (!(variance > 0) || !std::isfinite(variance)) continue;
    a.deviation(i) = std::sqrt(variance);
    known.push_back(i);
  }
  a.with_deviation = static_cast<Index>(known.size());
  if (!known.empty()) assess_spread(a, known, prediction.rows_at(a.rows));
  return a;
}

Assessment assess_held_out(const Model& model) {
  if (model.provenance.held_out.empty()) return {};
  Prediction held = held_out_prediction(model);
  held.mean = model.provenance.trust.trusted(std::move(held.mean));
  return assess(held, training_targets(model));
}

Calibration judged(const std::vector<Coverage>& coverage) {
  if (coverage.empty()) return Calibration::unknown;
  bool below = false, above = false;
  for (const Coverage& c : coverage) {
    const double difference = c.covered - c.promised;
    if (std::abs(difference) <= std::max(2.5 * c.uncertainty, 0.02)) continue;
    (difference < 0 ? below : above) = true;
  }
  // If wide and narrow intervals err in opposite directions, no single factor corrects both.
  const double outermost = coverage.back().covered - coverage.back().promised;
  if ((below && (above || outermost >= 0)) || (above && outermost <= 0)) return Calibration::wrong_shape;
  return below ? Calibration::too_narrow : above ? Calibration::too_wide : Calibration::good;
}

std::vector<Index> thinned(Index n, Index most) {
  const Index count = std::min(n, most);
  std::vector<Index> kept;
  for (Index i = 0; i < count; ++i) kept.push_back(i * n / count);
  return kept;
}

}  // namespace gpcv
