#include "evaluation/held_out_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "evaluation/error_scale.hpp"

namespace gpcv {
namespace {

double standard_density(double z) { return std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2; }

/// 2Φ(z) − 1
double central_probability(double z) { return std::erf(z / std::numbers::sqrt2); }

}  // namespace

HeldOutLoss::HeldOutLoss(Criterion criterion, Vector deviations)
    : criterion_(criterion), deviations_(std::move(deviations)) {}

double HeldOutLoss::value(const Vector& residuals) const {
  if (is_squares()) return residuals.squaredNorm();
  const Vector z = residuals.cwiseQuotient(deviations_);
  if (criterion_ == Criterion::log) return z.squaredNorm();
  double sum = 0;
  for (Index i = 0; i < z.size(); ++i) {
    const double w = z(i);
    sum += deviations_(i) * (w * central_probability(w) + 2 * standard_density(w) - std::numbers::inv_sqrtpi);
  }
  return sum;
}

RowLoss HeldOutLoss::second_order(const Vector& residuals) const {
  if (is_squares()) return {};
  const Vector z = residuals.cwiseQuotient(deviations_);
  if (criterion_ == Criterion::log) {
    return {z.cwiseQuotient(deviations_), deviations_.cwiseAbs2().cwiseInverse()};
  }
  // ½ φ' = Φ(z) − ½ and ½ φ'' = φ_N(z)/s
  return {0.5 * z.unaryExpr(&central_probability), z.unaryExpr(&standard_density).cwiseQuotient(deviations_)};
}

Vector calibrated_deviations(const Folds& folds, const Vector& residuals, const Vector& variances) {
  Vector stacked(residuals.size());
  Index at = 0;
  for (const Fold& fold : folds.folds) {
    for (const Index row : fold.validation) stacked(at++) = variances(row);
  }
  const PredictiveScale scale = error_scale(residuals, stacked, {.predictive = false});
  // A row without a variance has that of a typical row.
  std::vector<double> known;
  for (const double v : stacked) {
    if (std::isfinite(v) && v > 0) known.push_back(v);
  }
  if (known.empty()) return {};
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::nth_element(known.begin(), middle, known.end());
  // A deviation far below the typical error would let one row decide.
  const double least = 1e-4 * residuals.squaredNorm() / static_cast<double>(residuals.size());
  for (double& v : stacked) {
    const double own = std::isfinite(v) && v > 0 ? v : *middle;
    v = std::sqrt(std::max(scale.factor * own + scale.added, least));
  }
  return least > 0 ? stacked : Vector();
}

}  // namespace gpcv
