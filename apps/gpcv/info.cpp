#include <fmt/format.h>

#include "command.hpp"
#include "console/text.hpp"
#include "gpcv/model.hpp"
#include "gpcv/version.hpp"
#include "model_targets.hpp"
#include "remedies.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, target;
  ComputeOptions compute;
};

int run(const Arguments& a) {
  if (a.model.empty()) {
    fmt::print("{}", build_info());
    return success;
  }
  const std::vector<Model> models = chosen_models(a.model, a.target);
  if (models.size() > 1) {
    fmt::print("{}", models_text(models, a.model));
    return success;
  }
  const std::string use = a.target.empty() ? a.model : fmt::format("{} --target {}", a.model, as_argument(a.target));
  fmt::print("{}", model_text(models.front(), diagnostics_of(models.front(), a.compute), a.model, use));
  return success;
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "info", "Print version, instruction set, backends, threads and libraries, or describe a model");
  command->footer(
      "\nOf a model: whether it can be used and for what, the importance of its inputs, its kernel and its\n"
      "hyper-parameters in the units of the table. A model of several targets is a list of them; --target describes\n"
      "one.\n\nExample:\n  gpcv info houses.h5");
  command->add_option("MODEL", a->model, "Model written by fit");
  add_model_target_option(*command, a->target, "the one to describe");
  add_compute_options(*command, a->compute);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
