#include "gpcv/report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "gpcv/communicator.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/posterior.hpp"
#include "report/json/finding_json.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {
namespace {

using Json = nlohmann::ordered_json;  // which writes what is not finite as null

Json numbers(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

/// The precision of kernel products at the trained parameters; double where every system was factorised.
Precision precision_of_kernel_products(const FitResult& result, const KernelProgram& program,
                                       const ComputeOptions& compute) {
  if (result.solver != Solver::cg && result.training.work.cg_iterations == 0) return Precision::double_;
  return resolve_precision(compute, program, result.model.x, result.model.noise);
}

/// Scores of the held-out rows, which estimate those of new rows.
Json held_out_json(const Model& model) {
  const HeldOutRows held = held_out_rows(model);
  if (held.rows.empty()) return nullptr;
  const Metrics m = evaluate(held.prediction, held.y);
  Json curve = Json::array();
  for (const CalibrationPoint& p : calibration_curve(held.prediction, held.y)) {
    curve.push_back({{"promised", p.promised}, {"covered", p.covered}});
  }
  return {{"rows", m.n},
          {"variance", model.provenance.held_out.method},
          {"nlpd", m.nlpd},
          {"crps", m.crps},
          {"coverage50", m.coverage50},
          {"coverage80", m.coverage80},
          {"coverage95", m.coverage95},
          {"calibration", curve}};
}

/// What held-out predictions lose without each input, the most important first.
Json importance_json(const Importance& importance) {
  Json out = Json::array();
  for (const InputImportance& input : importance.inputs) {
    out.push_back({{"name", input.name},
                   {"increase", input.increase},
                   {"standard_error", input.standard_error},
                   {"relative", input.increase / importance.rmse}});
  }
  return out;
}

Json parameters_json(const Kernel& kernel) {
  Json out = Json::object();
  for (const Parameter& p : kernel.parameters()) out[p.name] = p.value;
  return out;
}

Json standard_errors_json(const TrainResult& training) {
  Json out = Json::object();
  for (const auto& [name, error] : training.standard_errors) out[name] = error;
  return out;
}

/// The distribution of errors; null stands for infinite.
Json error_scale_json(const PredictiveScale& scale) {
  return {{"factor", scale.factor},
          {"added", scale.added},
          {"degrees", scale.degrees},
          {"usual", scale.usual},
          {"rare", scale.rare},
          {"largest", scale.largest},
          {"observed_degrees", scale.observed_degrees}};
}

/// The choice of the kernel, best first.
Json kernels_json(const Provenance& provenance) {
  Json out = Json::array();
  for (const RankedKernel& k : provenance.kernels) {
    out.push_back({{"name", k.name},
                   {"kernel", k.kernel},
                   {"parameters", k.parameters},
                   {"rounds", k.rounds},
                   {"loss", k.loss},
                   {"behind", k.behind},
                   {"behind_error", k.behind_error},
                   {"chosen", k.chosen}});
  }
  return out;
}

/// The transform of the target and its choice, best first; nothing without one.
Json transform_json(const Model& model) {
  const std::vector<RankedTransform>& ranking = model.provenance.transforms;
  if (model.transform.is_none() && ranking.empty()) return Json::object();
  Json list = Json::array();
  for (const RankedTransform& t : ranking) {
    list.push_back({{"transform", t.transform},
                    {"rounds", t.rounds},
                    {"loss", t.loss},
                    {"behind", t.behind},
                    {"behind_error", t.behind_error},
                    {"chosen", t.chosen}});
  }
  return {{"transform", model.transform.to_string()}, {"transforms", list}};
}

/// The noise that was learned, and its comparison with constant noise; nothing where that was not asked for.
Json noise_json(const Model& model) {
  const NoiseChoice& choice = model.provenance.noise_choice;
  if (choice.asked.empty()) return Json::object();
  std::vector<std::string> inputs;
  for (const Index c : model.noise_process.inputs())
    inputs.push_back(model.columns.features[static_cast<std::size_t>(c)]);
  const NoiseRange range = noise_range(model);
  return {{"noise_model",
           {{"asked", choice.asked},
            {"learned", choice.learned},
            {"rounds", choice.rounds},
            {"gain", choice.gain},
            {"gain_error", choice.gain_error},
            {"inputs", inputs},
            {"low", range.low},
            {"high", range.high}}}};
}

/// The weights of a robust training; nothing without one.
Json trust_json(const RowTrust& trust) {
  if (trust.weights.size() == 0) return Json::object();
  Json rows = Json::array();
  for (const DistrustedRow& row : trust.distrusted) {
    rows.push_back(
        {{"row", row.table_row + 1}, {"id", row.id}, {"deviations", row.deviations}, {"weight", row.weight}});
  }
  return {{"robust", {{"share", trust.share}, {"degrees", trust.degrees}, {"distrusted", rows}}}};
}

Json optima_json(const TrainResult& training) {
  Json out = Json::array();
  for (const Optimum& optimum : training.optima) {
    out.push_back({{"restart", optimum.restart},
                   {"status", name_of(optimum.status)},
                   {"objective", optimum.objective},
                   {"kernel", optimum.reached() ? kernel_of(optimum, training.kernel).to_string() : ""},
                   {"noise", optimum.reached() ? noise_of(optimum, training.kernel, training.noise) : 0}});
  }
  return out;
}

Json seconds_json(const FitResult& result) {
  Json out = Json::object();
  double total = 0;
  for (const auto& [phase, time] : result.seconds) {
    out[phase] = time;
    total += time;
  }
  out["total"] = total;
  return out;
}

/// The trained model and how good it is.
Json model_json(const FitResult& result) {
  const Model& model = result.model;
  return {{"status", name_of(model.provenance.status)},
          {"message", model.provenance.message},
          {"left_out", result.left_out},
          {"weights_residual", result.weights_residual},
          {"trainer", model.provenance.trainer},
          {"n", model.x.rows()},
          {"d", model.scaling.x_mean.size()},
          {"kernel", model.kernel.to_string()},
          {"parameters", parameters_json(model.kernel)},
          {"noise", model.noise},
          {"noise_std", noise_std(model)},
          {"signal_variance", signal_variance(model)},
          {"objective", model.provenance.objective},
          {"cv_rmse", model.provenance.cv_rmse},
          {"smse", std::pow(model.provenance.cv_rmse / target_deviation(model), 2)},
          {"assessment", model.provenance.assessment},
          {"inner_rmse", model.provenance.inner_rmse},
          {"optimism", model.provenance.optimism},
          {"kernels", kernels_json(model.provenance)},
          {"folds", model.provenance.folds},
          {"jitter", result.training.jitter},
          {"iterations", model.provenance.iterations},
          {"standard_errors", standard_errors_json(result.training)},
          {"error_scale", error_scale_json(model.error_scale)},
          {"held_out", held_out_json(model)},
          {"importance", importance_json(model.provenance.importance)}};
}

/// The work of training and what it found.
Json training_json(const TrainResult& training) {
  const Work& work = training.work;
  return {{"kernel_passes", work.kernel_passes},
          {"column_passes", work.column_passes},
          {"cg_iterations", work.cg_iterations},
          {"returned_to_host", work.returned_to_host},
          {"verified_residual", work.residual},
          {"pairs_per_second", work.pairs_per_second()},
          {"preconditioner_seconds", work.preconditioner_seconds},
          {"product_seconds", work.product_seconds},
          {"training_plan", training.plan},
          {"optima", optima_json(training)}};
}

/// The columns of the table and their scaling.
Json columns_json(const Model& model) {
  return {{"target", model.columns.target},          {"features", model.columns.features},
          {"x_mean", numbers(model.scaling.x_mean)}, {"x_scale", numbers(model.scaling.x_scale)},
          {"y_mean", model.scaling.y_mean},          {"y_scale", model.scaling.y_scale}};
}

/// The time, the memory and the settings of the computation.
Json computation_json(const FitResult& result, const ComputeOptions& compute) {
  const Communicator* communicator = compute.communicator.get();
  const CompilationCost compilation = compilation_cost();
  return {{"seconds", seconds_json(result)},
          {"preset", result.preset},
          {"planned_bytes", result.planned_memory},
          {"peak_rss_bytes", peak_memory()},
          {"solver", name_of(result.solver)},
          {"backend", result.backend},
          {"precision", name_of(precision_of_kernel_products(result, result.model.kernel.lower(), compute))},
          {"threads", compute.threads},
          {"compiled_kernels", compilation.kernels},
          {"unforeseen_kernels", compilation.unforeseen},
          {"compiling_seconds", compilation.seconds},
          {"waited_for_kernels_seconds", compilation.waited},
          {"ranks", communicator != nullptr ? communicator->size() : 1},
          {"communication_seconds", communicator != nullptr ? communicator->seconds() : 0},
          {"seed", result.model.provenance.seed}};
}

Json result_json(const FitResult& result, const FitOptions& options, const std::vector<Finding>& findings) {
  Json json = model_json(result);
  json.update(training_json(result.training));
  json["findings"] = finding_array(findings);
  json.update(transform_json(result.model));
  json.update(noise_json(result.model));
  json.update(trust_json(result.model.provenance.trust));
  json.update(columns_json(result.model));
  json.update(computation_json(result, options.train.compute));
  return json;
}

/// Text of the object; a column name may be in any encoding.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string fit_json(const FitResult& result, const FitOptions& options, const std::vector<Finding>& findings) {
  return dumped(result_json(result, options, findings));
}

std::string fit_json(const std::vector<FitResult>& results, const FitOptions& options,
                     const std::vector<std::vector<Finding>>& findings) {
  Json targets = Json::array();
  for (std::size_t t = 0; t < results.size(); ++t) {
    targets.push_back(result_json(results[t], options, t < findings.size() ? findings[t] : std::vector<Finding>{}));
  }
  Json json = Json::object();
  json["targets"] = std::move(targets);
  return dumped(json);
}

}  // namespace gpcv
