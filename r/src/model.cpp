/// What a model knows, and its files.
#include "gpcv/model.hpp"

#include <cmath>

#include "entries.hpp"
#include "findings.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/targets.hpp"
#include "guard.hpp"
#include "handle.hpp"
#include "settings.hpp"

namespace gpcv::r {
namespace {

/// Columns of the training table, as R's side describes them when it fits.
cpp11::sexp columns_of(const Columns& columns) {
  Named out;
  out.add("features", columns.features)
      .add("positions", positions(columns.feature_indices))
      .add("levels", columns.levels)
      .add("named", columns.has_header)
      .add("target", columns.target)
      .add("noise", columns.noise)
      .add("noise_is_weight", columns.noise_is_weight)
      .add("dates_known", columns.dates.has_value())
      .add("dates", positions(columns.dates.value_or(std::vector<Index>{})));
  return out.list();
}

/// Choice of the kernel, best first.
cpp11::sexp kernels_of(const Model& model) {
  const auto& kernels = model.provenance.kernels;
  return Named()
      .add("name", column(kernels, [](const RankedKernel& k) { return k.name; }))
      .add("kernel", column(kernels, [](const RankedKernel& k) { return k.kernel; }))
      .add("parameters", column(kernels, [](const RankedKernel& k) { return static_cast<double>(k.parameters); }))
      .add("rounds", column(kernels, [](const RankedKernel& k) { return static_cast<double>(k.rounds); }))
      .add("loss", column(kernels, [](const RankedKernel& k) { return k.loss; }))
      .add("behind", column(kernels, [](const RankedKernel& k) { return k.behind; }))
      .add("behind_error", column(kernels, [](const RankedKernel& k) { return k.behind_error; }))
      .add("chosen", column(kernels, [](const RankedKernel& k) { return k.chosen; }))
      .list();
}

/// Choice of the transform, best first.
cpp11::sexp transforms_of(const Model& model) {
  const auto& transforms = model.provenance.transforms;
  return Named()
      .add("transform", column(transforms, [](const RankedTransform& t) { return t.transform; }))
      .add("rounds", column(transforms, [](const RankedTransform& t) { return static_cast<double>(t.rounds); }))
      .add("loss", column(transforms, [](const RankedTransform& t) { return t.loss; }))
      .add("behind", column(transforms, [](const RankedTransform& t) { return t.behind; }))
      .add("behind_error", column(transforms, [](const RankedTransform& t) { return t.behind_error; }))
      .add("chosen", column(transforms, [](const RankedTransform& t) { return t.chosen; }))
      .list();
}

/// What held-out predictions lose without each input, the most important first.
cpp11::sexp importance_of(const Model& model) {
  const Importance& importance = model.provenance.importance;
  return Named()
      .add("input", column(importance.inputs, [](const InputImportance& i) { return i.name; }))
      .add("increase", column(importance.inputs, [](const InputImportance& i) { return i.increase; }))
      .add("standard_error", column(importance.inputs, [](const InputImportance& i) { return i.standard_error; }))
      .add("relative",
           column(importance.inputs, [&](const InputImportance& i) { return i.increase / importance.rmse; }))
      .list();
}

/// Optima of all starts.
cpp11::sexp optima_of(const Model& model) {
  const auto& optima = model.provenance.optima;
  return Named()
      .add("restart", column(optima, [](const Optimum& o) { return static_cast<double>(o.restart + 1); }))
      .add("status", column(optima, [](const Optimum& o) { return std::string(name_of(o.status)); }))
      .add("objective", column(optima, [](const Optimum& o) { return o.objective; }))
      .add("kernel", column(optima,
                            [&](const Optimum& o) {
                              return o.reached() ? kernel_of(o, model.kernel).to_string(5, model.columns)
                                                 : std::string();
                            }))
      .list();
}

/// Comparison of learned with constant noise; empty where the noise was not to be learned.
cpp11::sexp noise_model_of(const Model& model) {
  const NoiseChoice& choice = model.provenance.noise_choice;
  if (choice.asked.empty()) return R_NilValue;
  std::vector<std::string> inputs;
  for (const Index c : model.noise_process.inputs())
    inputs.push_back(model.columns.features[static_cast<std::size_t>(c)]);
  const NoiseRange range = noise_range(model);
  return Named()
      .add("asked", choice.asked)
      .add("learned", choice.learned)
      .add("rounds", choice.rounds)
      .add("gain", choice.gain)
      .add("gain_error", choice.gain_error)
      .add("inputs", inputs)
      .add("low", range.low)
      .add("high", range.high)
      .list();
}

/// Scores of the held-out rows.
cpp11::sexp scores_of(const Model& model) {
  const Provenance& p = model.provenance;
  Named out;
  out.add("rmse", p.cv_rmse)
      .add("smse", std::pow(p.cv_rmse / target_deviation(model), 2))
      .add("assessment", p.assessment)
      .add("inner_rmse", p.inner_rmse)
      .add("optimism", p.optimism)
      .add("folds", p.folds);
  const HeldOutRows held = held_out_rows(model);
  if (held.rows.empty()) return out.list();
  const Metrics m = evaluate(held.prediction, held.y);
  out.add("rows", static_cast<double>(m.n))
      .add("nlpd", m.nlpd)
      .add("crps", m.crps)
      .add("coverage50", m.coverage50)
      .add("coverage80", m.coverage80)
      .add("coverage95", m.coverage95);
  return out.list();
}

cpp11::sexp parameters_of(const Model& model) {
  std::vector<std::pair<std::string, double>> values;
  for (const Parameter& p : model.kernel.parameters()) values.emplace_back(p.name, p.value);
  values.emplace_back("noise", model.noise);
  return to_r(values);
}

cpp11::sexp trace_of(const Model& model) {
  return Named().add("names", model.provenance.trace_names).add("values", model.provenance.trace).list();
}

/// Everything that R's side keeps beside the model. It is small, whatever the number of rows.
cpp11::sexp description_of(const Model& model) {
  const Provenance& p = model.provenance;
  Named out;
  out.add("columns", columns_of(model.columns))
      .add("rows", static_cast<double>(model.y.size()))
      .add("kernel", model.kernel.to_string(0, model.columns))
      .add("kernel_rounded", model.kernel.to_string(5, model.columns))
      .add("values", parameters_of(model))
      .add("free", static_cast<double>(model.kernel.free_parameters().size()))
      .add("noise", model.noise)
      .add("noise_sd", noise_std(model))
      .add("noise_model", noise_model_of(model))
      .add("mean", name_of(model.mean))
      .add("transform", model.transform.to_string())
      .add("target_scale", model.scaling.y_scale)
      .add("df", model.error_scale.degrees)
      .add("trainer", p.trainer)
      .add("uses_folds", uses_folds(p.trainer))
      .add("status", name_of(p.status))
      .add("message", p.message)
      .add("objective", p.objective)
      .add("iterations", p.iterations)
      .add("seed", static_cast<double>(p.seed))
      .add("version", p.version)
      .add("command", p.command)
      .add("settings", p.settings)
      .add("standard_errors", p.standard_errors)
      .add("cv", scores_of(model))
      .add("kernels", kernels_of(model))
      .add("transforms", transforms_of(model))
      .add("importance", importance_of(model))
      .add("optima", optima_of(model))
      .add("calibration_rows", static_cast<double>(model.conformal.scores.size()))
      .add("own_noise", has_given_noise(model))
      .add("robust", p.trust.weights.size() > 0)
      .add("trace", trace_of(model));
  return out.list();
}

/// Held-out predictions of the training rows, with intervals of this probability.
cpp11::sexp held_out_of(const Model& model, double level) {
  const Prediction held = held_out_prediction(model);
  const Vector targets = training_targets(model);
  const bool known = held.mean.size() > 0;
  const double factor = interval_factor(level, held.degrees);
  return Named()
      .add("fold", positions(model.provenance.fold_of_row))
      .add("observed", targets)
      .add("fit", held.mean)
      .add("se", Vector(held.variance.cwiseSqrt()))
      .add("z", known ? held.standardised(targets) : Vector())
      .add("lwr", known ? held.at(-factor) : Vector())
      .add("upr", known ? held.at(factor) : Vector())
      .list();
}

/// Rows of the training.
cpp11::sexp training_of(const Model& model) {
  return Named()
      .add("x", training_inputs(model))
      .add("y", training_targets(model))
      .add("weights", model.provenance.trust.weights)
      .list();
}

cpp11::sexp load(SEXP path) {
  std::vector<cpp11::sexp> handles;
  for (Model& model : load_models(text(path))) handles.push_back(to_handle(std::move(model)));
  return to_r(handles);
}

cpp11::sexp save_all(SEXP handles, SEXP path) {
  std::vector<Model> models;
  for (R_xlen_t i = 0; i < Rf_xlength(handles); ++i) models.push_back(*trained_of(VECTOR_ELT(handles, i)).model());
  const std::string file = text(path);
  require_writable(file, {});
  save(models, file);
  return R_NilValue;
}

}  // namespace
}  // namespace gpcv::r

using namespace gpcv::r;

extern "C" {
SEXP gpcv_r_describe(SEXP handle) {
  return guarded([&] { return description_of(*trained_of(handle).model()); });
}
SEXP gpcv_r_held_out(SEXP handle, SEXP level) {
  return guarded([&] { return held_out_of(*trained_of(handle).model(), number(level)); });
}
SEXP gpcv_r_training(SEXP handle) {
  return guarded([&] { return training_of(*trained_of(handle).model()); });
}
SEXP gpcv_r_findings(SEXP handle) {
  return guarded([&] { return model_findings(*trained_of(handle).model()); });
}
SEXP gpcv_r_load(SEXP path) {
  return guarded([&] { return load(path); });
}
SEXP gpcv_r_save(SEXP handles, SEXP path) {
  return guarded([&] { return save_all(handles, path); });
}
}
