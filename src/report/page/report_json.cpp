#include "report/page/report_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "gpcv/machine.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/verdict.hpp"

namespace gpcv {
namespace {

using Json = PageJson;

std::string_view name_of(Sentence::Level level) {
  return level == Sentence::Level::good ? "good" : level == Sentence::Level::note ? "note" : "warning";
}

Json sentence(const Sentence& s) { return {{"level", name_of(s.level)}, {"text", s.text}}; }

/// The headline, with the beginning that answers the question apart from the rest.
Json answer(const Sentence& s) {
  const std::size_t end = s.text.find_first_of(",:");
  return {{"level", name_of(s.level)}, {"answer", s.text.substr(0, end)}, {"rest", s.text.substr(end)}};
}

std::string text(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "–"; }

/// Standard error of a logarithm: a percentage where it is small, a factor where it is not.
std::string uncertainty(double error) {
  if (!std::isfinite(error)) return "";
  return error < 0.5 ? fmt::format("{:.2g} %", 100 * error) : fmt::format("a factor of {:.2g}", std::exp(error));
}

/// Summary figures at the top of the page.
Json tiles(const Model& model, const Diagnostics& f) {
  const std::string& unit = model.columns.target;
  Json list = Json::array();
  const auto add = [&](const std::string& label, const std::string& value, const std::string& hint) {
    list.push_back({{"label", label}, {"value", value}, {"hint", hint}});
  };
  add("held-out error", text(model.provenance.cv_rmse), "root mean square, in units of " + unit);
  if (std::isfinite(f.outcome.explained)) {
    const double percent = 100 * std::max(0.0, f.outcome.explained);
    add("variance explained", fmt::format("{:.{}f} %", percent, percent > 99 ? 2 : 1), "of held-out rows");
  }
  if (f.held_out.with_deviation > 0) {
    add("95 % intervals contain", fmt::format("{:.1f} %", 100 * f.held_out.metrics.coverage95),
        fmt::format("of {} held-out rows", grouped(f.held_out.with_deviation)));
  }
  add("noise", text(noise_std(model)), "standard deviation, in units of " + model.transform.label(unit));
  if (f.test) add("error on the test table", text(f.test->metrics.rmse), "root mean square, in units of " + unit);
  return list;
}

Json parameters_json(const std::vector<ParameterRow>& rows) {
  Json list = Json::array();
  for (const ParameterRow& row : rows) {
    list.push_back({{"name", row.name},
                    {"label", row.label},
                    {"meaning", row.meaning},
                    {"value", text(row.value)},
                    {"unit", row.unit},
                    {"error", uncertainty(row.relative_error)},
                    {"remark", row.remark}});
  }
  return list;
}

Json optima_json(const Model& model) {
  Json list = Json::array();
  for (const Optimum& o : model.provenance.optima) {
    list.push_back({{"start", o.restart + 1},
                    {"status", gpcv::name_of(o.status)},
                    {"objective", fmt::format("{:.6g}", o.objective)},
                    {"kernel", o.reached() ? kernel_of(o, model.kernel).to_string(4) : ""},
                    {"noise", text(o.reached() ? noise_of(o, model.kernel, model.noise) : 0)}});
  }
  return list;
}

Json scores_json(const Assessment& a) {
  Json list = Json::array();
  const Metrics& m = a.metrics;
  const auto add = [&](const char* name, const std::string& value) { list.push_back(Json::array({name, value})); };
  add("rows", grouped(a.y.size()));
  add("RMSE", text(m.rmse));
  add("MSE / variance of the target", text(m.smse));
  if (a.with_deviation == 0) return list;
  if (a.with_deviation < a.y.size()) add("rows with a variance", grouped(a.with_deviation));
  add("NLPD", text(m.nlpd));
  add("CRPS", text(m.crps));
  for (const Coverage& c : a.coverage) {
    list.push_back(Json::array({fmt::format("inside the {:.0f} % interval", 100 * c.promised),
                                fmt::format("{:.1f} % ± {:.1f} %", 100 * c.covered, 100 * c.uncertainty)}));
  }
  return list;
}

/// Charts and scores of an assessment.
Json assessed(const Assessment& a) {
  Json json = assessment_json(a);
  if (!json.is_null()) json["scores"] = scores_json(a);
  return json;
}

/// Adds what a robust training has found: the distribution of the noise and every row of little weight.
void add_trust(const RowTrust& trust, const std::function<void(const std::string&, const std::string&)>& add) {
  if (trust.weights.size() == 0) return;
  add("noise of robust training",
      trust.share == 0 ? "normal: no row lost weight"
                       : fmt::format("normal, for {:.2g} % of the rows Student's t, {} degrees of freedom",
                                     100 * trust.share, trust.degrees));
  for (const DistrustedRow& row : trust.distrusted) {
    add("row of little weight", fmt::format("row {}{}: {:.1f} deviations off, weight {:.2g}", row.table_row + 1,
                                            row.id.empty() ? "" : " (" + row.id + ")", row.deviations, row.weight));
  }
}

Json settings_json(const Model& model, const Diagnostics& f) {
  Json list = Json::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) list.push_back(Json::array({name, value}));
  };
  add("trainer", model.provenance.trainer);
  add("status", model.provenance.message);
  add("trained kernel, standardised", model.kernel.to_string(5));
  add("objective", fmt::format("{:.8g}", model.provenance.objective));
  add("folds", model.provenance.folds);
  add("mean function", std::string(gpcv::name_of(model.mean)));
  for (const auto& [name, value] : model.provenance.settings) add(name == "kernel" ? "kernel given" : name, value);
  if (has_given_noise(model)) {
    add(model.columns.noise_is_weight ? "column of weights" : "column of noise", model.columns.noise);
  }
  for (const RankedKernel& k : model.provenance.kernels) {
    add(k.chosen ? "chosen kernel" : "other candidate",
        fmt::format("{}: loss {} in round {}, behind the best by {} ± {}", k.kernel, text(k.loss), k.rounds,
                    text(k.behind), text(k.behind_error)));
  }
  if (!model.transform.is_none()) add("transform of the target", model.transform.label(model.columns.target));
  for (const RankedTransform& t : model.provenance.transforms) {
    add(t.chosen ? "chosen transform" : "other transform",
        fmt::format("{}: CRPS {} in round {}, behind the best by {} ± {}", t.transform, text(t.loss), t.rounds,
                    text(t.behind), text(t.behind_error)));
  }
  const PredictiveScale& scale = model.error_scale;
  if (!scale.is_identity()) {
    add("distribution of errors, from held-out rows",
        fmt::format(
            "{}, variance {} v + {}",
            std::isinf(scale.degrees) ? "normal" : fmt::format("Student's t, {} degrees of freedom", scale.degrees),
            text(scale.factor), text(scale.added)));
  }
  if (model.conformal.scores.size() > 0) {
    add("rows reserved for conformal intervals", grouped(model.conformal.scores.size()));
  }
  add_trust(model.provenance.trust, add);
  if (f.held_out.with_deviation > 0) add("held-out variances", model.provenance.held_out.method);
  add("seed", fmt::format("{}", model.provenance.seed));
  add("version", model.provenance.version);
  return list;
}

Json timing_json(const Model& model, const Seconds& seconds) {
  Json list = Json::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    list.push_back(Json::array({name, value}));
  };
  add("training steps", fmt::format("{}", model.provenance.iterations));
  const Provenance& provenance = model.provenance;
  const Index column = provenance.trace_column("seconds");
  if (seconds.empty() && column >= 0 && provenance.trace.rows() > 0) {
    add("training", duration(provenance.trace.col(column).maxCoeff()));
  }
  double total = 0;
  for (const auto& [phase, time] : seconds) {
    add(phase, duration(time));
    total += time;
  }
  if (seconds.empty()) return list;
  add("total", duration(total));
  add("peak memory", bytes(peak_memory()));
  return list;
}

Json mean_json(const Diagnostics& f) {
  Json list = Json::array();
  for (const MeanCoefficient& c : f.mean) list.push_back(Json::array({c.name, fmt::format("{:.5g}", c.value)}));
  return list;
}

}  // namespace

Json report_json(const Model& model, const Diagnostics& f, const Seconds& seconds) {
  const std::vector<ParameterRow> parameters = parameter_table(model, f);
  Json sentences = Json::array();
  for (const Sentence& s : verdict(model, f, parameters)) sentences.push_back(sentence(s));
  const std::size_t d = f.inputs.size();
  Json json = {{"target", model.columns.target},
               {"features", model.columns.features},
               {"facts", fmt::format("{} rows · {} input{} · {}", grouped(model.x.rows()), d, d == 1 ? "" : "s",
                                     model.provenance.trainer)},
               {"headline", answer(headline(model, f))},
               {"limits", limits(model, f)},
               {"verdict", sentences},
               {"tiles", tiles(model, f)},
               {"parameters", parameters_json(parameters)},
               {"convergence", convergence_json(model)},
               {"held_out", assessed(f.held_out)},
               {"test", f.test ? assessed(*f.test) : Json(nullptr)},
               {"effects", effects_json(model, f)},
               {"importance", importance_json(f)},
               {"relevance", relevance_json(f)},
               {"components", components_json(f)},
               {"noise", noise_json(model, f)},
               {"mean", mean_json(f)},
               {"optima", optima_json(model)},
               {"settings", settings_json(model, f)},
               {"timing", timing_json(model, seconds)},
               {"command", model.provenance.command},
               {"version", model.provenance.version}};
  if (!model.transform.is_none()) json["transformed"] = model.transform.label(model.columns.target);
  return json;
}

}  // namespace gpcv
