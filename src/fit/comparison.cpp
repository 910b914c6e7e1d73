#include "gpcv/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assessment/losses.hpp"
#include "core/mean_with_error.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

/// 0 for every row, NaN for those that any of the trainings distrusts: all models are compared by the same rows.
Vector common_rows(const std::vector<Contender>& contenders) {
  Vector rows;
  for (const Contender& contender : contenders) {
    const RowTrust& trust = contender.result.model.provenance.trust;
    if (rows.size() == 0) rows = Vector::Zero(contender.result.model.y.size());
    if (trust.weights.size() == rows.size()) rows = trust.trusted(std::move(rows));
  }
  return rows;
}

/// Squared held-out error of each row.
Vector squared_errors(const Model& model) {
  return (training_targets(model) - held_out_prediction(model).mean).array().square();
}

/// Loss of each held-out row.
Vector losses_of(const Model& model, Criterion criterion) {
  if (criterion == Criterion::squared) return squared_errors(model);
  const Prediction held = held_out_prediction(model);
  if (!model.transform.is_none()) return transformed_losses(held, training_targets(model), criterion);
  return held_out_losses(training_targets(model) - held.mean, held.variance, model.error_scale.degrees, criterion);
}

/// NLPD of the held-out rows; NaN when there are none.
double number_or_nan(const HeldOutRows& held) {
  return held.rows.empty() ? std::numeric_limits<double>::quiet_NaN() : evaluate(held.prediction, held.y).nlpd;
}

}  // namespace

Comparison compare(std::vector<Contender> contenders, Criterion criterion) {
  Comparison out{criterion, {}, {}};
  const Vector common = common_rows(contenders);
  for (Contender& contender : contenders) {
    const Model& model = contender.result.model;
    if (contender.failure.empty() && model.provenance.held_out.empty())
      contender.failure = "the model has no cross-validation error";
    if (!contender.failure.empty()) {
      out.failed.push_back(std::move(contender));
      continue;
    }
    Ranked ranked;
    const MeanWithError mse = mean_with_error(squared_errors(model) + common);
    ranked.rmse = std::sqrt(mse.mean);
    ranked.rmse_error = mse.error / (2 * ranked.rmse);  // δ√m = δm/(2√m)
    ranked.loss = mean_with_error(losses_of(model, criterion) + common).mean;
    ranked.nlpd = number_or_nan(held_out_rows(model));
    for (const auto& [phase, seconds] : contender.result.seconds) ranked.seconds += seconds;
    ranked.contender = std::move(contender);
    out.ranked.push_back(std::move(ranked));
  }
  std::stable_sort(out.ranked.begin(), out.ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.loss < b.loss; });
  for (Ranked& ranked : out.ranked) {
    // The losses of different kernels are correlated row by row, so their differences have smaller standard errors.
    const Vector best = losses_of(out.ranked.front().contender.result.model, criterion);
    const MeanWithError behind = mean_with_error(losses_of(ranked.contender.result.model, criterion) - best + common);
    const double unit = criterion == Criterion::log ? 1 : out.ranked.front().loss;
    ranked.behind = behind.mean / unit;
    ranked.behind_error = behind.error / unit;
  }
  return out;
}

bool Comparison::complete() const {
  const auto converged = [](const Ranked& r) {
    return r.contender.result.model.provenance.status == Status::converged;
  };
  return !ranked.empty() && failed.empty() && std::all_of(ranked.begin(), ranked.end(), converged);
}

}  // namespace gpcv
