#include <fmt/format.h>

#include <cmath>
#include <set>

#include "command.hpp"
#include "console/printable.hpp"
#include "console/text.hpp"
#include "far_rows.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"
#include "gpcv/targets.hpp"
#include "model_targets.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, data, target;
  LikeOptions read{.with_target = true};
  bool json = false;
  VarianceMethod variance;
  ComputeOptions compute;
};

/// Scores of the predictions. Throws InputError, which names the table and the target, where there are none.
Metrics metrics_of(Model model, const Dataset& data, const Arguments& a) {
  const std::string target = model.columns.target;
  const Posterior posterior(std::move(model), a.compute);
  const Prediction prediction = predict_rows(posterior, data.x, {.variance = a.variance, .noise = data.noise});
  try {
    const Metrics metrics = evaluate(prediction, data.y);
    if (std::isfinite(metrics.rmse)) return metrics;
    throw InputError(
        fmt::format("squares of the errors overflow, the largest error is {:.1e}: divide by a power of ten",
                    (data.y - prediction.mean).cwiseAbs().maxCoeff()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: target '{}': {}", a.data, target, error.what()), error.remedy(), error.facts());
  }
}

void print_metrics(const TargetEvaluation& evaluation) {
  fmt::print("{}", evaluation_text(evaluation.metrics, evaluation.target));
  if (const std::size_t rows = evaluation.reading.dropped.size(); rows > 0) {
    fmt::print("left out  {} row{} with missing cells\n", rows, rows == 1 ? "" : "s");
  }
}

/// Warns of rows far outside the training rows of the targets, each warning once.
void tell_far_rows(const std::vector<Model>& models, const std::vector<Dataset>& targets) {
  std::set<std::string> told{""};
  for (std::size_t t = 0; t < models.size(); ++t) {
    FarRows far;
    far.compare_with(models[t]);
    look_at(far, targets[t]);
    if (told.insert(text_of(far)).second) report(far);
  }
}

/// Data sets of the models' targets, which are not empty.
std::vector<Dataset> read_data(const std::vector<Model>& models, const Arguments& a) {
  std::vector<Columns> columns;
  for (const Model& model : models) columns.push_back(model.columns);
  std::vector<Dataset> targets = read_targets_like(a.data, columns, a.read);
  for (const Dataset& data : targets) {
    if (data.rows() > 0) continue;
    throw InputError(fmt::format(
        "{}: every row has a missing cell{}", a.data,
        models.size() > 1 ? fmt::format(" in the inputs or in the target '{}'", printable(data.columns.target)) : ""));
  }
  return targets;
}

int run(const Arguments& a) {
  std::vector<Model> models = chosen_models(a.model, a.target);
  const std::vector<std::string> names = target_names(models);
  const std::vector<Dataset> targets = read_data(models, a);
  const bool several = models.size() > 1;
  tell_far_rows(models, targets);
  std::vector<TargetEvaluation> evaluations;
  for (std::size_t t = 0; t < models.size(); ++t) {
    evaluations.push_back({names[t], metrics_of(std::move(models[t]), targets[t], a), targets[t].reading});
  }
  if (a.json) {
    const TargetEvaluation& first = evaluations.front();
    fmt::print("{}\n", several ? evaluation_json(evaluations) : evaluation_json(first.metrics, &first.reading));
    return success;
  }
  tell_readings(targets);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (several) fmt::print("{}target    {}\n", t > 0 ? "\n" : "", printable(names[t]));
    print_metrics(evaluations[t]);
  }
  return success;
}

}  // namespace

void add_evaluate(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("evaluate", "Compare predictions with known targets");
  command->footer(
      "\nrmse and crps are in the target's units; smse is the mean squared error over the variance of the\n"
      "targets; nlpd is the mean negative log predictive density; coverage should match the interval's probability.");
  command->add_option("MODEL", a->model, "Model written by fit")->required();
  command->add_option("DATA", a->data, "CSV or TSV file with the model's inputs and target")->required();
  add_model_target_option(*command, a->target, "those to evaluate, separated by commas (default: all)");
  command->add_flag("--json", a->json, "Print one JSON object");
  add_variance_option(*command, a->variance);
  add_like_options(*command, a->read, "leave the row out");
  add_compute_options(*command, a->compute);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
