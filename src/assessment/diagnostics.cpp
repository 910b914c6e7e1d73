#include "gpcv/diagnostics.hpp"

#include <algorithm>
#include <cmath>

#include "core/borrowed.hpp"
#include "data/columns/spread.hpp"
#include "gpcv/error.hpp"
#include "prediction/signal.hpp"
#include "problem/parameters.hpp"

namespace gpcv {
namespace {

/// Differences up to which two optima count as similar: 2 % of an error, or 2 of a log likelihood.
constexpr double similar = 0.02, similar_likelihood = 2;
/// Distance above which two optima count as different: a parameter with more than twice or less than half the value.
const double distant = std::log(2.0);

/// Parameters at their bounds at the end of the best start; the scale that is determined afterwards moves variances
/// past their bounds.
std::vector<std::string> ended_at_bounds(const Model& model) {
  Problem problem{model.x, model.y, model.kernel, {model.noise, !noise_is_free(model), true}};
  const std::vector<Optimum>& optima = model.provenance.optima;
  if (!optima.empty() && optima.front().reached()) {
    problem.kernel = kernel_of(optima.front(), model.kernel);
    problem.noise.variance = noise_of(optima.front(), model.kernel, model.noise);
  }
  // A smaller noise than that of iterations was found within the bound of factorisations.
  const double least = problem.noise.least * problem.y.squaredNorm() / static_cast<double>(problem.y.size());
  if (problem.noise.variance < 0.999 * least) problem.noise.least = GaussNewtonOptions{}.least_noise;
  return at_bounds(problem, log_values(problem));
}

/// Largest distance between two optima over the parameters other than variances, because cross-validation does not
/// determine the common scale of all variances. Parameters that the data do not determine are left out.
void compare(const Kernel& best, const Kernel& other, const std::vector<std::string>& unknown,
             AlternativeOptimum& alternative) {
  const auto a = best.parameters(), b = other.parameters();
  if (a.size() != b.size()) return;
  double largest = distant;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].role == Role::variance || std::count(unknown.begin(), unknown.end(), a[i].name) > 0) continue;
    const double distance = std::abs(std::log(a[i].value / b[i].value));
    if (distance <= largest) continue;
    largest = distance;
    alternative.parameter = a[i].name;
    alternative.best = a[i].value;
    alternative.other = b[i].value;
  }
}

std::vector<AlternativeOptimum> alternatives_of(const Model& model, const Outcome& outcome) {
  std::vector<AlternativeOptimum> alternatives;
  const std::vector<Optimum>& optima = model.provenance.optima;
  if (optima.empty() || !optima.front().reached()) return alternatives;
  const Optimum& best = optima.front();
  const Kernel best_kernel = kernel_of(best, model.kernel);
  for (std::size_t i = 1; i < optima.size(); ++i) {
    const Optimum& o = optima[i];
    if (!o.reached()) continue;
    AlternativeOptimum alternative{i, o.objective - best.objective, "", 0, 0};
    if (outcome.by_folds) alternative.worse /= std::abs(best.objective);
    if (!(alternative.worse <= (outcome.by_folds ? similar : similar_likelihood))) continue;
    compare(best_kernel, kernel_of(o, model.kernel), outcome.unknown, alternative);
    if (!alternative.parameter.empty()) alternatives.push_back(alternative);
  }
  return alternatives;
}

}  // namespace

bool noise_is_free(const Model& model) { return model.provenance.trace_column("noise") >= 0; }

bool is_undetermined(double standard_error) { return !(standard_error < 10); }

Outcome outcome_of(const Model& model) {
  Outcome d;
  d.by_folds = uses_folds(model.provenance.trainer);
  d.target_deviation = spread(trusted_targets(model)).deviation;
  d.explained = 1 - std::pow(model.provenance.cv_rmse / d.target_deviation, 2);
  for (const auto& [name, error] : model.provenance.standard_errors) {
    if (is_undetermined(error)) d.unknown.push_back(name);
  }
  d.beats_mean = beats_mean(model);
  d.at_bounds = ended_at_bounds(model);
  d.alternatives = alternatives_of(model, d);
  return d;
}

Diagnostics brief_diagnostics_of(const Model& model, const ComputeOptions& compute) {
  Diagnostics f;
  f.outcome = outcome_of(model);
  f.inputs = inputs_of(model);
  if (f.inputs.size() < 2) return f;
  // With many inputs fewer rows suffice, so that this takes a second at the most: a pair of points costs 1 + d/10.
  constexpr double affordable = 3e9;
  const auto d = static_cast<double>(f.inputs.size()), n = static_cast<double>(model.x.rows());
  const double rows = std::clamp(affordable / (n * d * (1 + d / 10)), 20.0, 1e6);
  f.relevance = relevance(model, Posterior(borrowed(model), compute), static_cast<Index>(rows));
  return f;
}

Diagnostics diagnostics_of(const Model& model, const ComputeOptions& compute, const Dataset* test) {
  Diagnostics f;
  f.outcome = outcome_of(model);
  f.held_out = assess_held_out(model);
  f.inputs = inputs_of(model);
  f.importance = model.provenance.importance;
  f.mean = mean_coefficients(model);
  const Posterior posterior(borrowed(model), compute);
  std::vector<std::size_t> shown{0};
  if (f.inputs.size() > 1) {
    f.relevance = relevance(model, posterior);
    shown.clear();
    for (const Relevance& r : f.relevance) shown.push_back(r.input);
    shown.resize(std::min(shown.size(), most_effects));
  }
  f.effects = effects(model, posterior, shown);
  f.noise = noise_effects(model);
  f.components = component_effects(model, posterior, f.inputs.size() == 1 ? f.effects[0].at : Vector());
  if (test != nullptr) {
    if (test->rows() == 0) throw InputError("the table to compare predictions with has no rows");
    f.test = assess(predict_rows(posterior, test->x, {.noise = test->noise}), test->y);
  }
  return f;
}

}  // namespace gpcv
