/// What summary() and plot() show.
#include "gpcv/diagnostics.hpp"

#include <algorithm>

#include "caller.hpp"
#include "entries.hpp"
#include "gpcv/verdict.hpp"
#include "guard.hpp"
#include "handle.hpp"
#include "settings.hpp"

namespace gpcv::r {
namespace {

const char* name_of(Sentence::Level level) {
  return level == Sentence::Level::good ? "good" : level == Sentence::Level::note ? "note" : "warning";
}

cpp11::sexp parameters_of(const std::vector<ParameterRow>& rows) {
  return Named()
      .add("name", column(rows, [](const ParameterRow& p) { return p.name; }))
      .add("label", column(rows, [](const ParameterRow& p) { return p.label; }))
      .add("value", column(rows, [](const ParameterRow& p) { return p.value; }))
      .add("unit", column(rows, [](const ParameterRow& p) { return p.unit; }))
      .add("relative_error", column(rows, [](const ParameterRow& p) { return p.relative_error; }))
      .add("remark", column(rows, [](const ParameterRow& p) { return p.remark; }))
      .add("meaning", column(rows, [](const ParameterRow& p) { return p.meaning; }))
      .list();
}

/// Verdict in sentences, and the hyper-parameters in the user's units.
cpp11::sexp verdict_of(SEXP handle, SEXP settings) {
  const std::shared_ptr<const Model> model = trained_of(handle).model();
  ComputeOptions compute = compute_options(settings);
  Caller caller(Display::none, compute.threads);
  compute.stop = [&] { return caller.stops(); };
  Diagnostics seen;
  caller.run([&] {
    seen = brief_diagnostics_of(*model, compute);
    seen.held_out = assess_held_out(*model);
    seen.importance = model->provenance.importance;
    seen.mean = mean_coefficients(*model);
  });
  const std::vector<ParameterRow> rows = parameter_table(*model, seen);
  const std::vector<Sentence> sentences = verdict(*model, seen, rows);
  const Sentence first = headline(*model, seen);
  return Named()
      .add("headline", first.text)
      .add("level", name_of(first.level))
      .add("limits", limits(*model, seen))
      .add("sentences", column(sentences, [](const Sentence& s) { return s.text; }))
      .add("levels", column(sentences, [](const Sentence& s) { return std::string(name_of(s.level)); }))
      .add("parameters", parameters_of(rows))
      .list();
}

/// Held-out rows with their predictions, and the calibration curve.
cpp11::sexp held_out(const Assessment& seen) {
  return Named()
      .add("rows", positions(seen.rows))
      .add("observed", seen.y)
      .add("fit", seen.mean)
      .add("promised", column(seen.curve, [](const CalibrationPoint& p) { return p.promised; }))
      .add("covered", column(seen.curve, [](const CalibrationPoint& p) { return p.covered; }))
      .list();
}

/// Prediction along an input; the bands are those of the function and of observations.
cpp11::sexp effect_of(const Effect& effect, const Input& input, double level) {
  const double latent = interval_factor(level, effect.function.degrees);
  const double observed = interval_factor(level, effect.rows.degrees);
  return Named()
      .add("name", input.name)
      .add("levels", input.levels)
      .add("columns", positions(input.columns))
      .add("at", effect.at)
      .add("fit", effect.rows.mean)
      .add("lower", effect.function.at(-latent))
      .add("upper", effect.function.at(latent))
      .add("lower_rows", effect.rows.at(-observed))
      .add("upper_rows", effect.rows.at(observed))
      .list();
}

cpp11::sexp diagnostics(SEXP handle, SEXP settings, SEXP level, SEXP display) {
  const std::shared_ptr<const Model> model = trained_of(handle).model();
  ComputeOptions compute = compute_options(settings);
  Caller caller(display_named(text(display)), compute.threads);
  caller.tell("computing the effects of the inputs");
  compute.stop = [&] { return caller.stops(); };
  Diagnostics seen;
  caller.run([&] { seen = diagnostics_of(*model, compute); });
  std::vector<cpp11::sexp> effects;
  for (const Effect& effect : seen.effects) {
    effects.push_back(effect_of(effect, seen.inputs[effect.input], number(level)));
  }
  return Named()
      .add("held_out", held_out(seen.held_out))
      .add("inputs", static_cast<double>(seen.inputs.size()))
      .add("effects", effects)
      .list();
}

}  // namespace
}  // namespace gpcv::r

using namespace gpcv::r;

extern "C" {
SEXP gpcv_r_verdict(SEXP handle, SEXP settings) {
  return guarded([&] { return verdict_of(handle, settings); });
}
SEXP gpcv_r_diagnostics(SEXP handle, SEXP settings, SEXP level, SEXP display) {
  return guarded([&] { return diagnostics(handle, settings, level, display); });
}
}
