#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "console/printable.hpp"
#include "console/text.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::command {
namespace {

/// Line with the coverage of the intervals and the NLPD of the held-out rows.
std::string held_out_text(const Model& model) {
  const HeldOutRows held = held_out_rows(model);
  if (held.rows.empty()) return "";
  const Metrics m = evaluate(held.prediction, held.y);
  return fmt::format(
      "held out   95 % intervals hold {:.1f} %, 80 % hold {:.1f} %, 50 % hold {:.1f} % of {} rows; NLPD {:.4g}\n",
      100 * m.coverage95, 100 * m.coverage80, 100 * m.coverage50, m.n, m.nlpd);
}

/// Distance of a candidate from the best; log scores have no zero to refer it to.
std::string behind_text(const RankedKernel& k, bool in_percent) {
  return in_percent
             ? fmt::format(", {:.2g} % behind the best, standard error {:.2g} %", 100 * k.behind, 100 * k.behind_error)
             : fmt::format(", {:.2g} behind the best, standard error {:.2g}", k.behind, k.behind_error);
}

/// Whether the losses of the choice are log scores.
bool scored_by_log(const Model& model) {
  const auto& settings = model.provenance.settings;
  return std::find(settings.begin(), settings.end(), std::pair<std::string, std::string>("criterion", "log")) !=
         settings.end();
}

/// Lines about the choice of the kernel, with those that were nearly as good.
std::string choice_text(const Model& model, bool in_percent) {
  std::string text;
  if (!model.provenance.kernels.empty() && !std::isfinite(model.provenance.kernels.front().loss)) {
    return "choice     no candidate was trained in time\n";
  }
  for (const RankedKernel& k : model.provenance.kernels) {
    if (k.rounds < model.provenance.kernels.front().rounds) break;
    text += fmt::format("{:<10} {}: loss {:.4g}{}{}\n", text.empty() ? "choice" : "", k.kernel, k.loss,
                        k.behind > 0 ? behind_text(k, in_percent) : "", k.chosen ? " (chosen)" : "");
  }
  return text;
}

/// Line about the transform of the target, with its distance from that of no transform where it was chosen.
std::string transform_text(const Model& model) {
  const std::vector<RankedTransform>& ranking = model.provenance.transforms;
  if (model.transform.is_none() && ranking.empty()) return "";
  std::string text = fmt::format("transform  {}", model.transform.to_string());
  const auto is_none = [](const RankedTransform& t) { return t.transform == "none"; };
  const auto is_chosen = [](const RankedTransform& t) { return t.chosen; };
  const auto none = std::find_if(ranking.begin(), ranking.end(), is_none);
  const auto chosen = std::find_if(ranking.begin(), ranking.end(), is_chosen);
  if (none == ranking.end() || chosen == ranking.end()) return text + "\n";
  const std::string_view among = ", chosen by held-out rows";
  if (none == chosen) return fmt::format("{}{} among {}\n", text, among, ranking.size());
  if (none->rounds != chosen->rounds) {  // their losses belong to different rows
    return fmt::format("{}{}: none left early, its CRPS {:.2g} % above the best\n", text, among, 100 * none->behind);
  }
  return fmt::format("{}{}: CRPS {:.2g} % below that of none\n", text, among, 100 * (1 - chosen->loss / none->loss));
}

/// Line about the noise, where it was to be learned.
std::string noise_text(const Model& model) {
  const std::string words = noise_in_words(model);
  return words.empty() ? "" : fmt::format("           {}\n", words);
}

/// Lines about the method of training and its cost.
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
    text += fmt::format("           the device ran out of memory: {} kept on the host, which is slower\n",
                        work.cg_iterations > 0 ? "vectors and preconditioner were" : "the matrix was");
  }
  return text;
}

/// Line about the kernels that were not found on disk.
std::string compilation_text() {
  const CompilationCost cost = compilation_cost();
  if (cost.kernels == 0) return "";
  return fmt::format("           {} kernel{} compiled for the device in {}, {} of it waited for; kept on disk\n",
                     cost.kernels, cost.kernels == 1 ? "" : "s", duration(cost.seconds), duration(cost.waited));
}

}  // namespace

Diagnostics brief_diagnostics(const Model& model, ComputeOptions compute) {
  compute.communicator = nullptr;  // the other processes have nothing to print
  try {
    return brief_diagnostics_of(model, compute);
  } catch (const std::exception&) {
    Diagnostics seen;
    seen.outcome = outcome_of(model);
    seen.inputs = inputs_of(model);
    return seen;
  }
}

std::string fit_summary(const FitResult& result, const Diagnostics& seen, const Communicator* communicator) {
  const Model& model = result.model;
  std::vector<ParameterRow> parameters = parameter_table(model, seen);
  const double noise_error = parameters.back().relative_error;  // the noise has a line of its own
  parameters.pop_back();
  const std::string& target = model.columns.target;
  const std::string unit = target.empty() ? "" : units_of(model.transform.label(target));
  std::string text = fmt::format("status     {}\n", model.provenance.message);
  text += fmt::format("objective  {:.8g}\n", model.provenance.objective);
  text += fmt::format("kernel     {}\n", printable(model.kernel.to_string(5, model.columns)));
  text += parameter_lines(seen, parameters);
  text += fmt::format("noise      {:.6g}, a standard deviation of {:.6g}{}{}\n", model.noise, noise_std(model), unit,
                      standard_error_text(noise_error));
  text += noise_text(model);
  text += transform_text(model);
  text += choice_text(model, !scored_by_log(model));
  const double smse = std::pow(model.provenance.cv_rmse / target_deviation(model), 2);
  text += fmt::format("cv rmse    {:.6g}{}, SMSE {:.4g}, {}\n", model.provenance.cv_rmse, units_of(target), smse,
                      model.provenance.folds);
  text += held_out_text(model);
  text += effort(result.training);
  double total = 0;
  std::string phases;
  for (const auto& [phase, seconds] : result.seconds) {
    total += seconds;
    phases += fmt::format("{}{} {}", phases.empty() ? "" : ", ", phase, duration(seconds));
  }
  text += fmt::format("time       {} ({}), peak memory {}\n", duration(total), phases, bytes(peak_memory()));
  text += compilation_text();
  if (shared(communicator)) {
    text += fmt::format("ranks      {}; of the first one's time, communication took {}\n", communicator->size(),
                        duration(communicator->seconds()));
  }
  return text;
}

std::string model_line(const std::string& model_path) {
  return model_path.empty() ? "model      not written; -o MODEL.h5 keeps it\n"
                            : fmt::format("model      {}\n", model_path);
}

std::string fit_footer(const FitResult& result, const Diagnostics& seen, const std::string& model_path,
                       const Communicator* communicator) {
  return fit_summary(result, seen, communicator) + model_line(model_path);
}

}  // namespace gpcv::command
