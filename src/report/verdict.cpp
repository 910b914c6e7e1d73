#include "gpcv/verdict.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "gpcv/fit.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv {
namespace {

using Level = Sentence::Level;

/// Fraction as a percentage, with more digits close to 100 %.
std::string percent(double part) {
  const double value = 100 * part;
  return fmt::format("{:.{}f} %", value, value > 99 && value < 99.995 ? 2 : value >= 10 ? 0 : 1);
}

/// Name of the target column.
std::string of_target(const Model& model) { return model.columns.target.empty() ? "the target" : model.columns.target; }

/// Sentence about the convergence of the training.
Sentence convergence(const Model& model) {
  const bool anything_free = !model.kernel.free_parameters().empty() || noise_is_free(model);
  if (!anything_free) return {Level::good, "No parameter was trained: all of them are fixed."};
  const Provenance& run = model.provenance;
  const std::string steps = fmt::format("{} step{}", run.iterations, run.iterations == 1 ? "" : "s");
  if (run.status == Status::converged) return {Level::good, fmt::format("Training converged ({}).", steps)};
  const std::string why = run.status == Status::stopped      ? "was stopped"
                          : run.status == Status::time_limit ? "reached its time limit"
                                                             : "did not converge";
  return {Level::warning, fmt::format("Training {} after {}: the model is preliminary. ({})", why, steps, run.message)};
}

/// Sentence about the cross-validation error.
Sentence error(const Model& model, const Outcome& d) {
  if (!std::isfinite(model.provenance.cv_rmse)) return {Level::warning, "The model has no cross-validation error."};
  const double e = d.explained;
  const std::string how = e >= 0.9 ? "very well" : e >= 0.6 ? "well" : e >= 0.2 ? "moderately well" : "poorly";
  std::string text = fmt::format(
      "Held-out rows ({}) are predicted {}: the root mean square error is {:.4g}, the standard deviation of {} is "
      "{:.4g}",
      model.provenance.folds, how, model.provenance.cv_rmse, of_target(model), d.target_deviation);
  text += e > 0.005 && d.beats_mean ? fmt::format("; {} of its variance is explained.", percent(e))
                                    : "; the mean of the target predicts as well.";
  if (model.provenance.assessment == name_of(Assess::inner) && model.provenance.optimism >= 0.05) {
    text += fmt::format(" These folds have also chosen the parameters, so that the error is optimistic, by about {}.",
                        percent(model.provenance.optimism));
  }
  const double noise = noise_std(model);
  if (e > 0.005 && !has_given_noise(model) && model.transform.is_none() && model.provenance.cv_rmse < 1.1 * noise) {
    text += " The error is as small as the estimated noise permits.";
  }
  const bool weak = !d.beats_mean || e < 0.2;
  return {weak ? Level::warning : e >= 0.6 ? Level::good : Level::note, text};
}

/// Coverage of the intervals at each probability.
std::string coverages(const Assessment& a) {
  std::string text;
  for (const Coverage& c : a.coverage) {
    text += fmt::format("{}{:.0f} % intervals contain {:.1f} %", text.empty() ? "" : ", ", 100 * c.promised,
                        100 * c.covered);
  }
  return fmt::format("{} of {} rows (standard error {:.1f} % at 95 %)", text, grouped(a.with_deviation),
                     100 * a.coverage.back().uncertainty);
}

/// Sentence about the calibration of the intervals.
Sentence intervals(const Assessment& a, const std::string& whose) {
  if (a.calibration == Calibration::unknown) {
    return {Level::note, fmt::format("Intervals were not checked: {} have no variances.", whose)};
  }
  const std::string numbers = coverages(a) + ".";
  if (a.with_deviation < 30) {
    return {Level::note, fmt::format("There are too few {} to judge the intervals: {}", whose, numbers)};
  }
  switch (a.calibration) {
    case Calibration::too_narrow:
      return {Level::warning, "Intervals are too narrow; the model is overconfident: " + numbers};
    case Calibration::too_wide:
      return {Level::note, "Intervals are too wide; the model is underconfident: " + numbers};
    case Calibration::wrong_shape: {
      const bool peaked = a.coverage.front().covered > a.coverage.front().promised;
      return {Level::note,
              fmt::format("Errors have {} tails than a normal distribution, so intervals cannot fit at all levels: {}",
                          peaked ? "heavier" : "lighter", numbers)};
    }
    default:
      return {Level::good, "Intervals are well calibrated: " + numbers};
  }
}

/// List of parameters: "a", "a and b", "a, b and c", "a, b, c and 4 more".
std::string listed(const std::vector<std::string>& names, const std::vector<ParameterRow>& parameters) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() < 6) shown.push_back(label_of(parameters, name));
  }
  if (names.size() > shown.size()) shown.push_back(fmt::format("{} more", names.size() - shown.size()));
  const std::string last = shown.back();
  shown.pop_back();
  return shown.empty() ? last : fmt::format("{} and {}", fmt::join(shown, ", "), last);
}

/// Adds sentences about parameters at bounds, undetermined parameters and alternative optima.
void parameters_to_doubt(const Outcome& d, const std::vector<ParameterRow>& parameters, std::vector<Sentence>& out) {
  if (!d.at_bounds.empty()) {
    out.push_back({Level::note, fmt::format("These parameters are at a bound: {}. The optimum may lie outside the "
                                            "bound, or the data do not determine it.",
                                            listed(d.at_bounds, parameters))});
  }
  if (!d.unknown.empty()) {
    out.push_back(
        {Level::note,
         fmt::format("The data do not determine these parameters: {}. Predictions of similar rows hardly depend on {}.",
                     listed(d.unknown, parameters), d.unknown.size() == 1 ? "its value" : "their values")});
  }
  for (const AlternativeOptimum& r : d.alternatives) {
    out.push_back(
        {Level::note, fmt::format("Another optimum is about as good ({}): its {} is {:.2g} times as large. The data do "
                                  "not decide between the two; their predictions may differ away from the data.",
                                  d.by_folds ? fmt::format("error {:.1f} % larger", 100 * std::max(0.0, r.worse))
                                             : fmt::format("log likelihood {:.2g} lower", std::max(0.0, r.worse)),
                                  label_of(parameters, r.parameter), r.other / r.best)});
    break;  // the table of optima shows the others
  }
}

/// Adds a sentence about the noise, where it was to be learned.
void noise(const Model& model, std::vector<Sentence>& out) {
  const std::string words = noise_in_words(model);
  if (!words.empty()) out.push_back({Level::note, fmt::format("The noise is {}.", words)});
}

/// Adds sentences about outliers, skewness and heteroscedasticity of the held-out residuals, of which `suggests` says
/// whether they suggest a transform of the target and `constant_noise` whether the noise is the same in all rows.
void residuals(const Assessment& a, bool suggests, bool constant_noise, std::vector<Sentence>& out) {
  const auto n = static_cast<double>(a.with_deviation);
  if (n < 30) return;
  const Index row = a.worst >= 0 ? a.rows[static_cast<std::size_t>(a.worst)] + 1 : 0;
  if (a.outliers >= 2 && static_cast<double>(a.outliers) > 5 * a.expected_outliers) {
    out.push_back({Level::warning,
                   fmt::format("The errors of {} rows exceed 4 standard deviations, {:.1g} were expected: check their "
                               "values, first in training row {} ({:+.1f} standard deviations).",
                               a.outliers, a.expected_outliers, row, a.worst_z)});
  } else if (std::abs(a.worst_z) > 5) {
    out.push_back({Level::note, fmt::format("The error of training row {} is {:+.1f} standard deviations: check its "
                                            "value.",
                                            row, a.worst_z)});
  }
  if (std::abs(a.skewness) > std::max(0.5, 4 * std::sqrt(6 / n))) {
    out.push_back(
        {Level::note, fmt::format("Errors are skewed (skewness {:.1f}): large ones are mostly {}.", a.skewness,
                                  a.skewness <= 0 ? "negative"
                                  : suggests      ? "positive. The logarithm of the target may help"
                                                  : "positive")});
  }
  if (std::abs(a.spread_trend) > std::max(0.15, 4 / std::sqrt(n))) {
    const std::string trend = fmt::format("Errors {} with the prediction (rank correlation {:.2f})",
                                          a.spread_trend > 0 ? "grow" : "shrink", a.spread_trend);
    const std::string constant =
        fmt::format(", but the model's noise is constant: {}learned noise or a noise level per row may help",
                    a.spread_trend > 0 && suggests ? "the logarithm of the target, " : "");
    out.push_back({Level::note, fmt::format("{}{}.", trend, constant_noise ? constant : "")});
  }
}

/// Adds sentences about the test table.
void on_test_data(const Model& model, const Diagnostics& f, std::vector<Sentence>& out) {
  if (!f.test || f.test->empty()) return;
  const double rmse = f.test->metrics.rmse, ratio = rmse / model.provenance.cv_rmse;
  const bool worse = ratio > 1 + 4 / std::sqrt(2.0 * static_cast<double>(f.test->y.size())) && ratio > 1.2;
  std::string text =
      fmt::format("On the test table ({} rows) the root mean square error is {:.4g}", grouped(f.test->y.size()), rmse);
  if (std::isfinite(ratio)) {
    text += worse
                ? fmt::format(", {:.2g} times that of cross-validation: its rows differ from the training rows", ratio)
                : fmt::format(", {:.2g} times that of cross-validation", ratio);
  }
  out.push_back({worse ? Level::warning : Level::good, text + "."});
  Sentence held = intervals(*f.test, "rows of the test table");
  held.text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(held.text[0])));
  out.push_back({held.level, "On the test table, " + held.text});
}

}  // namespace

std::vector<Sentence> verdict(const Model& model, const Diagnostics& f, const std::vector<ParameterRow>& parameters) {
  std::vector<Sentence> out{convergence(model), error(model, f.outcome), intervals(f.held_out, "held-out rows")};
  on_test_data(model, f, out);
  noise(model, out);
  residuals(f.held_out, model.transform.is_none(), model.noise_reference == 0, out);
  parameters_to_doubt(f.outcome, parameters, out);
  return out;
}

}  // namespace gpcv
