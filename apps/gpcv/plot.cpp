#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "command.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"
#include "gpcv/report.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, output;
  std::vector<std::string> what{"all"};
  int width = 960;
  ComputeOptions compute;
};

/// Throws for a name that asks for another format than SVG.
void require_svg(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending.empty() || ending == ".svg" || ending == ".SVG") return;
  throw InputError(
      fmt::format("{}: pictures are written as SVG only, which browsers, office programs and LaTeX convert; "
                  "choose a name that ends in .svg",
                  path));
}

std::vector<Plot> chosen(const Arguments& a, const Diagnostics& seen) {
  std::vector<Plot> plots;
  for (const std::string& name : a.what) {
    if (name == "all") return plots_of(seen);
    plots.push_back(choice_named(name, {Plot::fit, Plot::observed, Plot::calibration, Plot::effects}));
  }
  return plots;
}

int run(const Arguments& a) {
  if (!a.output.empty()) {
    require_svg(a.output);
    require_writable(a.output, {a.model});
  }
  const Model model = load_model(a.model);
  const Diagnostics seen = diagnostics_of(model, a.compute);
  const std::string svg = svg_picture(model, seen, chosen(a, seen), a.width);
  if (a.output.empty()) {
    std::fwrite(svg.data(), 1, svg.size(), stdout);
  } else {
    write_text_atomically(a.output, svg);
  }
  return success;
}

}  // namespace

void add_plot(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("plot", "Draw charts of a model as an SVG picture");
  command->footer(
      "\nCharts: fit, the prediction over the only input with intervals and training rows; observed, predicted "
      "against\n"
      "observed values of held-out rows; calibration, observed against nominal coverage of intervals; effects, the\n"
      "prediction along each of the most relevant inputs with the others at their median. The picture is SVG, not "
      "PNG:\n"
      "browsers, office programs and LaTeX read it.\n\n"
      "Example:\n  gpcv plot houses.h5 -o houses.svg --what effects");
  command->add_option("MODEL", a->model, "Model written by fit")->required();
  command->add_option("-o,--output", a->output, "Write the picture to this file, .svg; default: standard output");
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
