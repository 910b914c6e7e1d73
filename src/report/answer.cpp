/// Answer to the question whether a model can be used, and for what.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "gpcv/fit.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/verdict.hpp"

namespace gpcv {
namespace {

using Level = Sentence::Level;

constexpr Index few_rows = 30;             ///< fewer held-out rows do not judge intervals
constexpr double notable_optimism = 0.05;  ///< optimism from which on it is stated

/// What a kind of folds tells: the rows that held-out rows stand for, and the rows that they say nothing about.
struct Purpose {
  std::string_view folds;     ///< words in the description of the folds
  std::string_view good_for;  ///< rows of which the error is that of held-out rows
  std::string_view untested;  ///< rows of which it is not
};

constexpr Purpose purposes[] = {
    {"in time order", "times after the training rows",
     "Each held-out row was predicted from earlier rows only, as far ahead as the blocks reach; further ahead the "
     "error grows."},
    {" groups", "new groups like these",
     "Held-out rows belong to groups that training had not seen; rows of known groups may be predicted better."},
    {"contiguous blocks", "gaps like the held-out blocks",
     "Held-out rows were whole blocks; rows in the midst of training rows may be predicted better."},
    {"regions of the inputs", "regions of the inputs without rows",
     "Held-out rows were whole regions of the inputs; rows in the midst of training rows may be predicted better."},
    {"of the table", "new rows that differ from these as the given folds do from each other", ""},
};
constexpr Purpose by_chance = {
    "", "new rows like these",
    "Held-out rows were drawn at random: the error of later times, of new groups or of other places may be larger."};

const Purpose& purpose_of(const Model& model) {
  for (const Purpose& p : purposes) {
    if (model.provenance.folds.find(p.folds) != std::string::npos) return p;
  }
  return by_chance;
}

std::string target_name(const Model& model) {
  return model.columns.target.empty() ? "the target" : model.columns.target;
}

/// "typical error 1.2 (price varies by 5.3)"
std::string error_text(const Model& model, const Outcome& d) {
  return fmt::format("typical error {:.3g} ({} varies by {:.3g})", model.provenance.cv_rmse, target_name(model),
                     d.target_deviation);
}

/// Verdict on the intervals; unknown where too few rows were held out.
Calibration judged_intervals(const Assessment& a) {
  return a.with_deviation < few_rows || a.coverage.empty() ? Calibration::unknown : a.calibration;
}

std::string coverage_text(const Assessment& a) {
  if (judged_intervals(a) == Calibration::unknown) return "its intervals were not checked";
  const Coverage& widest = a.coverage.back();
  const bool narrow = a.calibration == Calibration::too_narrow;
  return fmt::format("{:.0f} % intervals held {}{:.0f} % of held-out rows", 100 * widest.promised,
                     narrow ? "only " : "", 100 * widest.covered);
}

/// Whether rows of the test table are predicted clearly worse than held-out rows.
bool fails_test(const Model& model, const Diagnostics& f) {
  if (!f.test || f.test->empty()) return false;
  const double ratio = f.test->metrics.rmse / model.provenance.cv_rmse;
  return ratio > 1.2 && ratio > 1 + 4 / std::sqrt(2.0 * static_cast<double>(f.test->y.size()));
}

/// Reason for care, most important first; empty where there is none.
std::string reason_for_care(const Model& model, const Diagnostics& f) {
  if (model.provenance.status == Status::stopped) return "it was stopped early, so the model is preliminary";
  if (model.provenance.status != Status::converged) return "training did not converge, so the model is preliminary";
  if (fails_test(model, f)) return "the rows of the test table are predicted worse than held-out rows";
  if (judged_intervals(f.held_out) == Calibration::too_narrow) return "its intervals are too narrow";
  return {};
}

/// "x from 0 to 10", or words for several inputs.
std::string extent_of(const Model& model, const Diagnostics& f) {
  if (f.inputs.size() != 1 || !f.inputs[0].levels.empty() || model.x.rows() == 0) return {};
  const Vector x = training_inputs(model).col(0);
  return fmt::format(" ({} from {:.5g} to {:.5g})", f.inputs[0].name, x.minCoeff(), x.maxCoeff());
}

std::string_view interval_limit(const Assessment& a) {
  switch (judged_intervals(a)) {
    case Calibration::too_narrow:
      return "Intervals are too narrow: count on more rows outside them than stated.";
    case Calibration::too_wide:
      return "Intervals are wider than necessary.";
    case Calibration::wrong_shape:
      return "Intervals fit at some probabilities and not at others.";
    case Calibration::unknown:
      return "Intervals could not be checked.";
    case Calibration::good:
      break;
  }
  return {};
}

bool is_useless(const Outcome& d) { return !d.beats_mean || d.explained <= 0.005; }

}  // namespace

Sentence headline(const Model& model, const Diagnostics& f) {
  const Outcome& d = f.outcome;
  if (!std::isfinite(d.explained)) {
    return {Level::note, "Unknown: the model was trained, but its error was not measured on held-out rows."};
  }
  const std::string error = error_text(model, d);
  if (is_useless(d)) {
    return {Level::warning,
            fmt::format("No: predictions are no better than the mean of {}; {}.", target_name(model), error)};
  }
  if (d.explained < 0.2) {
    return {Level::warning, fmt::format("Hardly: the inputs explain little of {}; {}.", target_name(model), error)};
  }
  const std::string_view rows = purpose_of(model).good_for;
  const std::string figures = fmt::format("{}; {}", error, coverage_text(f.held_out));
  const std::string care = reason_for_care(model, f);
  if (!care.empty()) {
    return {Level::warning, fmt::format("With care, for predicting {}: {}; {}.", rows, care, figures)};
  }
  const bool well = d.explained >= 0.6;
  return {well ? Level::good : Level::note,
          fmt::format("{}, for predicting {}: {}.", well ? "Yes" : "Roughly", rows, figures)};
}

std::vector<std::string> limits(const Model& model, const Diagnostics& f) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view text) {
    if (!text.empty()) out.emplace_back(text);
  };
  if (!std::isfinite(f.outcome.explained) || is_useless(f.outcome)) return out;
  const Provenance& run = model.provenance;
  if (run.assessment == name_of(Assess::inner) && run.optimism >= notable_optimism) {
    add(fmt::format("The error is too small by about {:.0f} %: the same folds have chosen the parameters.",
                    100 * run.optimism));
  }
  const auto rows = static_cast<Index>(f.held_out.rows.size());
  if (rows > 0 && rows < few_rows) add(fmt::format("Only {} rows were held out: the error is uncertain.", rows));
  add(interval_limit(f.held_out));
  add(purpose_of(model).untested);
  add(fmt::format(
      "Beyond the training rows{} predictions return to the mean, or continue a trend that nothing confirms.",
      extent_of(model, f)));
  if (!f.outcome.at_bounds.empty()) {
    const std::size_t count = f.outcome.at_bounds.size();
    add(fmt::format("{} parameter{} ended at a bound; wider bounds may predict better.", count, count == 1 ? "" : "s"));
  }
  return out;
}

}  // namespace gpcv
