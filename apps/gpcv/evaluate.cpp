#include <fmt/format.h>

#include "command.hpp"
#include "console/text.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, data;
  Header header = Header::automatic;
  bool json = false;
  VarianceMethod variance;
  ComputeOptions compute;
};

int run(const Arguments& a) {
  const Posterior posterior(load_model(a.model), a.compute);
  const Dataset data = read_dataset_like(a.data, posterior.model().columns, true, a.header);
  const Metrics metrics = evaluate(posterior.predict(data.x, {.variance = a.variance, .noise = data.noise}), data.y);
  fmt::print("{}", a.json ? evaluation_json(metrics) + "\n" : evaluation_text(metrics));
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
  add_header_option(*command, a->header);
  add_compute_options(*command, a->compute);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
