#include <fmt/format.h>

#include "command.hpp"
#include "far_rows.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/report.hpp"
#include "model_targets.hpp"
#include "table_output.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, data, output, target;
  LikeOptions read{.with_target = true};
  ComputeOptions compute;
};

int run(const Arguments& a) {
  const bool to_file = !is_standard_output(a.output);
  if (to_file) require_writable(a.output, {a.model, a.data});
  const Model model = chosen_model(a.model, a.target);
  Dataset test;
  if (!a.data.empty()) test = read_dataset_like(a.data, model.columns, a.read);
  tell_reading(test.reading);
  FarRows far;
  far.compare_with(model);
  look_at(far, test);
  report(far);
  const std::string page = html_report(model, diagnostics_of(model, a.compute, a.data.empty() ? nullptr : &test), {});
  if (to_file) {
    write_text_atomically(a.output, page);
  } else {
    fmt::print("{}", page);
  }
  return success;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("report", "Write an HTML report on the quality of a model and on its effects");
  command->footer(
      "\nThe report is one HTML file that needs no network. It contains a verdict in words, hyper-parameters in the\n"
      "table's units, effects of the inputs, held-out predictions, calibration and convergence.\n\n"
      "Example:\n  gpcv report houses.h5 -o houses.html --data test.csv");
  command->add_option("MODEL", a->model, "Model written by fit")->required();
  add_model_target_option(*command, a->target, "the one to report on");
  command->add_option("-o,--output", a->output, "Write the page to this file, or to standard output for -")->required();
  command->add_option("--data", a->data, "Test table with known targets, to be assessed as well");
  add_like_options(*command, a->read, "leave the row out");
  add_compute_options(*command, a->compute);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
