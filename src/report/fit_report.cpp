#include "report/fit_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/memory.hpp"
#include "data/tables/csv_writer.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/posterior.hpp"
#include "report/finding_json.hpp"
#include "report/quantity.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {
namespace {

using Json = nlohmann::ordered_json;  // which writes what is not finite as null

Json numbers(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

/// One standard error of a parameter's logarithm: a percentage while that means something, then a factor.
std::string known_to(double error) {
  if (error < 0.5) return fmt::format("± {:.2g} %", 100 * error);
  if (error < 3) return fmt::format("to a factor of {:.2g}", std::exp(error));
  return "unknown";
}

/// How well each parameter is known.
std::string uncertainty(const TrainResult& training) {
  if (training.standard_errors.empty()) return "";
  std::string text;
  for (const auto& [name, error] : training.standard_errors) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, known_to(error));
  }
  return fmt::format("known to   {}\n", text);
}

/// The precision of kernel products at the trained parameters; double where every system was factorised.
Precision precision_of_kernel_products(const FitResult& result, const KernelProgram& program,
                                       const ComputeOptions& compute) {
  if (result.solver != Solver::cg && result.training.work.cg_iterations == 0) return Precision::double_;
  return resolve_precision(compute, program, result.model.x, result.model.noise);
}

/// How good predictions of new rows will be, as far as held-out rows can tell.
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

std::string held_out_text(const Model& model) {
  const HeldOutRows held = held_out_rows(model);
  if (held.rows.empty()) return "";
  const Metrics m = evaluate(held.prediction, held.y);
  return fmt::format(
      "held out   95 % intervals hold {:.1f} %, 80 % hold {:.1f} %, 50 % hold {:.1f} % of {} rows; NLPD {:.4g}\n",
      100 * m.coverage95, 100 * m.coverage80, 100 * m.coverage50, m.n, m.nlpd);
}

std::string effort(const TrainResult& training) {
  const Work& work = training.work;
  if (training.plan.empty()) return "";
  std::string text = fmt::format("training   {}\n", training.plan);
  if (work.cg_iterations > 0) {
    text +=
        fmt::format("           {:.0f} kernel passes, {:.1f} with all columns, {} CG iterations, {:.2g} pairs/s{}\n",
                    work.kernel_passes, work.column_passes, work.cg_iterations, work.pairs_per_second(),
                    work.residual > 0 ? fmt::format(", verified to {:.0e}", work.residual) : "");
  }
  if (work.returned_to_host) {
    text +=
        "           the device ran out of memory: vectors and preconditioner were kept on the host, which is slower\n";
  }
  return text;
}

}  // namespace

std::string fit_footer(const FitResult& result, const std::string& model_path, const Communicator* communicator) {
  const Model& model = result.model;
  const std::string unit = model.columns.target.empty() ? "" : " (in the units of " + model.columns.target + ")";
  std::string text = fmt::format("status     {}\n", model.provenance.message);
  text += fmt::format("objective  {:.8g}\n", model.provenance.objective);
  text += fmt::format("kernel     {}\n", model.kernel.to_string(5));
  text += fmt::format("noise      {:.6g}, a standard deviation of {:.6g}{}\n", model.noise, noise_std(model), unit);
  if (model.added_noise > 0) {
    text += fmt::format("           and {:.6g} more, which training did not see but held-out errors show\n",
                        added_noise_std(model));
  }
  text += fmt::format("cv rmse    {:.6g}, {}\n", model.provenance.cv_rmse, model.provenance.folds);
  text += held_out_text(model);
  text += uncertainty(result.training);
  text += effort(result.training);
  double total = 0;
  std::string phases;
  for (const auto& [phase, seconds] : result.seconds) {
    total += seconds;
    phases += fmt::format("{}{} {}", phases.empty() ? "" : ", ", phase, duration(seconds));
  }
  text += fmt::format("time       {} ({}), peak memory {}\n", duration(total), phases, bytes(peak_memory()));
  if (shared(communicator)) {
    text += fmt::format("ranks      {}; of the first one's time, communication took {}\n", communicator->size(),
                        duration(communicator->seconds()));
  }
  text += model_path.empty() ? "model      not written; -o MODEL.h5 keeps it\n"
                             : fmt::format("model      {}\n", model_path);
  return text;
}

std::string fit_json(const FitResult& result, const FitOptions& options, const std::vector<Finding>& findings) {
  const Model& model = result.model;
  Json parameters = Json::object();
  for (const Parameter& p : model.kernel.parameters()) parameters[p.name] = p.value;
  Json optima = Json::array();
  const TrainResult& training = result.training;
  for (const Optimum& optimum : training.optima) {
    optima.push_back({{"restart", optimum.restart},
                      {"status", name_of(optimum.status)},
                      {"objective", optimum.objective},
                      {"kernel", optimum.reached() ? kernel_of(optimum, training.kernel).to_string() : ""},
                      {"noise", optimum.reached() ? noise_of(optimum, training.kernel, training.noise) : 0}});
  }
  Json standard_errors = Json::object(), factors = Json::object();
  for (const auto& [name, error] : result.training.standard_errors) standard_errors[name] = error;
  for (const VarianceFactor& f : model.variance_factors) factors[f.method] = f.factor;
  const Work& work = result.training.work;
  Json seconds = Json::object();
  double total = 0;
  for (const auto& [phase, time] : result.seconds) {
    seconds[phase] = time;
    total += time;
  }
  seconds["total"] = total;
  const Communicator* communicator = options.train.compute.communicator.get();
  const Json json = {
      {"status", name_of(model.provenance.status)},
      {"message", model.provenance.message},
      {"trainer", model.provenance.trainer},
      {"n", model.x.rows()},
      {"d", model.scaling.x_mean.size()},
      {"kernel", model.kernel.to_string()},
      {"parameters", parameters},
      {"noise", model.noise},
      {"noise_std", noise_std(model)},
      {"signal_variance", signal_variance(model)},
      {"objective", model.provenance.objective},
      {"cv_rmse", model.provenance.cv_rmse},
      {"folds", model.provenance.folds},
      {"jitter", result.training.jitter},
      {"iterations", model.provenance.iterations},
      {"standard_errors", standard_errors},
      {"variance_factors", factors},
      {"added_noise", model.added_noise},
      {"held_out", held_out_json(model)},
      {"kernel_passes", work.kernel_passes},
      {"column_passes", work.column_passes},
      {"cg_iterations", work.cg_iterations},
      {"returned_to_host", work.returned_to_host},
      {"verified_residual", work.residual},
      {"pairs_per_second", work.pairs_per_second()},
      {"preconditioner_seconds", work.preconditioner_seconds},
      {"product_seconds", work.product_seconds},
      {"training_plan", result.training.plan},
      {"optima", optima},
      {"findings", finding_array(findings)},
      {"target", model.columns.target},
      {"features", model.columns.features},
      {"x_mean", numbers(model.scaling.x_mean)},
      {"x_scale", numbers(model.scaling.x_scale)},
      {"y_mean", model.scaling.y_mean},
      {"y_scale", model.scaling.y_scale},
      {"seconds", seconds},
      {"planned_bytes", result.planned_memory},
      {"peak_rss_bytes", peak_memory()},
      {"solver", name_of(result.solver)},
      {"backend", resolve_backend(options.train.compute.backend)},
      {"precision", name_of(precision_of_kernel_products(result, model.kernel.lower(), options.train.compute))},
      {"threads", options.train.compute.threads},
      {"ranks", communicator != nullptr ? communicator->size() : 1},
      {"communication_seconds", communicator != nullptr ? communicator->seconds() : 0},
      {"seed", model.provenance.seed}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);  // a column name may be in any encoding
}

void write_trace(const Model& model, const std::filesystem::path& path) {
  write_csv(path, model.provenance.trace_names, model.provenance.trace);
}

}  // namespace gpcv
