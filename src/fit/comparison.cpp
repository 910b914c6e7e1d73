#include "gpcv/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

/// Mean and its standard error.
struct MeanWithError {
  double mean = 0, error = 0;
};

/// Mean of the finite values and its standard error.
MeanWithError mean_of(const Vector& values) {
  double sum = 0, squares = 0, count = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    sum += v;
    squares += v * v;
    ++count;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / std::max(1.0, count - 1))};
}

/// Squared held-out error of each row.
Vector squared_errors(const Model& model) {
  return (training_targets(model) - model.provenance.held_out.mean).array().square();
}

/// NLPD of the held-out rows; NaN when there are none.
double number_or_nan(const HeldOutRows& held) {
  return held.rows.empty() ? std::numeric_limits<double>::quiet_NaN() : evaluate(held.prediction, held.y).nlpd;
}

}  // namespace

Comparison compare(std::vector<Contender> contenders) {
  Comparison out;
  for (Contender& contender : contenders) {
    const Model& model = contender.result.model;
    if (contender.failure.empty() && model.provenance.held_out.empty())
      contender.failure = "the model has no cross-validation error";
    if (!contender.failure.empty()) {
      out.failed.push_back(std::move(contender));
      continue;
    }
    Ranked ranked;
    const MeanWithError mse = mean_of(squared_errors(model));
    ranked.rmse = std::sqrt(mse.mean);
    ranked.rmse_error = mse.error / (2 * ranked.rmse);  // δ√m = δm/(2√m)
    ranked.nlpd = number_or_nan(held_out_rows(model));
    for (const auto& [phase, seconds] : contender.result.seconds) ranked.seconds += seconds;
    ranked.contender = std::move(contender);
    out.ranked.push_back(std::move(ranked));
  }
  std::stable_sort(out.ranked.begin(), out.ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rmse < b.rmse; });
  for (Ranked& ranked : out.ranked) {
    // The errors of different kernels are correlated row by row, so their differences have smaller standard errors.
    const Vector best = squared_errors(out.ranked.front().contender.result.model);
    const MeanWithError behind = mean_of(squared_errors(ranked.contender.result.model) - best);
    const double unit = std::pow(out.ranked.front().rmse, 2);
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
