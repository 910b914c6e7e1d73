#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "command.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"
#include "gpcv/report.hpp"
#include "model_targets.hpp"
#include "table_output.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, output, target;
  std::vector<std::string> what{"all"};
  int width = 960;
  ComputeOptions compute;
};

/// Whether a name asks for PNG rather than SVG. Throws for a name that asks for another format.
bool is_png(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".png" || ending == ".PNG") return true;
  if (ending.empty() || ending == ".svg" || ending == ".SVG") return false;
  throw InputError(
      fmt::format("{}: pictures are written as SVG or PNG; choose a name that ends in .svg or .png", path));
}

std::vector<Plot> chosen(const Arguments& a, const Diagnostics& seen) {
  std::vector<Plot> plots;
  for (const std::string& name : a.what) {
    if (name == "all") return plots_of(seen);
    plots.push_back(choice_named(name, {Plot::fit, Plot::observed, Plot::calibration, Plot::effects}));
  }
  return plots;
}

int run(Arguments a) {
  a.output = named_file(a.output);
  const bool png = is_png(a.output);
  if (png) require_png();
  if (!a.output.empty()) {
    require_writable(a.output, {a.model});
  }
  const Model model = chosen_model(a.model, a.target);
  const Diagnostics seen = diagnostics_of(model, a.compute);
  const std::string svg = svg_picture(model, seen, chosen(a, seen), a.width);
  if (a.output.empty()) {
    std::fwrite(svg.data(), 1, svg.size(), stdout);
  } else {
    write_text_atomically(a.output, png ? png_picture(svg) : svg);
  }
  return success;
}

}  // namespace

void add_plot(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("plot", "Draw charts of a model as an SVG or PNG picture");
  command->footer(
      "\nCharts: fit, the prediction over the only input with intervals and training rows; observed, predicted "
      "against\n"
      "observed values of held-out rows; calibration, observed against nominal coverage of intervals; effects, the\n"
      "prediction along each of the most relevant inputs with the others at their median. The name of the file "
      "decides\n"
      "between SVG, which scales without loss, and PNG, for which librsvg has to be installed.\n\n"
      "Example:\n  gpcv plot houses.h5 -o houses.png --what effects");
  command->add_option("MODEL", a->model, "Model written by fit")->required();
  add_model_target_option(*command, a->target, "the one to draw");
  command->add_option("-o,--output", a->output,
                      "Write the picture to this file, .svg or .png; default: SVG to standard output");
  command->add_option("--what", a->what, "Charts, separated by commas; all stands for those that apply to the model")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"fit", "observed", "calibration", "effects", "all"}))
      ->capture_default_str();
  command->add_option("--width", a->width, "Width of the picture in pixels")
      ->check(CLI::Range(least_picture_width, most_picture_width))
      ->capture_default_str();
  add_compute_options(*command, a->compute);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
