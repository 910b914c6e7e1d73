#include <fmt/format.h>

#include "command.hpp"
#include "console/text.hpp"
#include "gpcv/model.hpp"
#include "gpcv/version.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model;
  ComputeOptions compute;
};

int run(const Arguments& a) {
  if (a.model.empty()) {
    fmt::print("{}", build_info());
    return success;
  }
  const Model model = load_model(a.model);
  fmt::print("{}", model_text(model, diagnostics_of(model, a.compute), a.model));
  return success;
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "info", "Print version, instruction set, backends, threads and libraries, or describe a model");
  command->footer(
      "\nOf a model: whether it can be used and for what, the importance of its inputs, its kernel and its\n"
      "hyper-parameters in the units of the table.\n\nExample:\n  gpcv info houses.h5");
  command->add_option("MODEL", a->model, "Model written by fit");
  add_compute_options(*command, a->compute);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
