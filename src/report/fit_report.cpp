#include "report/fit_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/memory.hpp"
#include "data/csv_writer.hpp"
#include "gpcv/posterior.hpp"
#include "report/quantity.hpp"

namespace gpcv {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json numbers(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

}  // namespace

std::string fit_footer(const FitResult& result, const std::string& model_path) {
  const Model& model = result.model;
  const std::string unit = model.columns.target.empty() ? "" : " (in the units of " + model.columns.target + ")";
  std::string text = fmt::format("status     {}\n", model.message);
  text += fmt::format("objective  {:.8g}\n", model.objective);
  text += fmt::format("kernel     {}\n", model.kernel.to_string(5));
  text += fmt::format("noise      {:.6g}, a standard deviation of {:.6g}{}\n", model.noise, noise_std(model), unit);
  text += fmt::format("cv rmse    {:.6g}, {}\n", model.cv_rmse, model.folds);
  double total = 0;
  std::string phases;
  for (const auto& [phase, seconds] : result.seconds) {
    total += seconds;
    phases += fmt::format("{}{} {}", phases.empty() ? "" : ", ", phase, duration(seconds));
  }
  text += fmt::format("time       {} ({}), peak memory {}\n", duration(total), phases, bytes(peak_memory()));
  text += model_path.empty() ? "model      not written; -o MODEL.h5 keeps it\n"
                             : fmt::format("model      {}\n", model_path);
  return text;
}

std::string fit_json(const FitResult& result, const FitOptions& options) {
  const Model& model = result.model;
  Json parameters = Json::object();
  for (const Parameter& p : model.kernel.parameters()) parameters[p.name] = p.value;
  Json optima = Json::array();
  for (const Optimum& optimum : result.training.optima) {
    optima.push_back({{"restart", optimum.restart},
                      {"status", name_of(optimum.status)},
                      {"objective", number(optimum.objective)},
                      {"kernel", optimum.kernel},
                      {"noise", optimum.noise}});
  }
  Json seconds = Json::object();
  double total = 0;
  for (const auto& [phase, time] : result.seconds) {
    seconds[phase] = time;
    total += time;
  }
  seconds["total"] = total;
  const Json json = {
      {"status", name_of(model.status)},
      {"message", model.message},
      {"trainer", model.trainer},
      {"n", model.x.rows()},
      {"d", model.x.cols()},
      {"kernel", model.kernel.to_string()},
      {"parameters", parameters},
      {"noise", model.noise},
      {"noise_std", noise_std(model)},
      {"signal_variance", signal_variance(model)},
      {"objective", number(model.objective)},
      {"cv_rmse", number(model.cv_rmse)},
      {"folds", model.folds},
      {"jitter", result.training.jitter},
      {"iterations", model.iterations},
      {"optima", optima},
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
      {"precision", name_of(result.solver == Solver::cg ? options.train.compute.precision : Precision::double_)},
      {"threads", options.train.compute.threads},
      {"seed", model.seed}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);  // a column name may be in any encoding
}

void write_trace(const Model& model, const std::filesystem::path& path) {
  write_csv(path, model.trace_names, model.trace);
}

}  // namespace gpcv
