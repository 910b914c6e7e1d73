#include <fmt/format.h>

#include "command.hpp"
#include "console/text.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, data;
  LikeOptions read{.with_target = true};
  bool json = false;
  VarianceMethod variance;
  ComputeOptions compute;
};

int run(const Arguments& a) {
  const Posterior posterior(load_model(a.model), a.compute);
  const Dataset data = read_dataset_like(a.data, posterior.model().columns, a.read);
  if (data.rows() == 0) throw InputError(fmt::format("{}: every row has a missing cell", a.data));
  const Metrics metrics =
      evaluate(predict_rows(posterior, data.x, {.variance = a.variance, .noise = data.noise}), data.y);
  if (a.json) {
    fmt::print("{}\n", evaluation_json(metrics, &data.reading));
    return success;
  }
  tell_reading(data.reading);
  fmt::print("{}", evaluation_text(metrics));
  if (const std::size_t rows = data.reading.dropped.size(); rows > 0) {
    fmt::print("left out  {} row{} with missing cells\n", rows, rows == 1 ? "" : "s");
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
  command->add_flag("--json", a->json, "Print one JSON object");
  add_variance_option(*command, a->variance);
  add_like_options(*command, a->read, "leave the row out");
  add_compute_options(*command, a->compute);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
