#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "console/printable.hpp"
#include "console/text.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::command {
namespace {

constexpr int longest_name = 32, longest_kernel = 60;

/// Kernel as it was asked for or chosen, without its values.
std::string kernel_asked_for(const Model& model) {
  for (const auto& [name, value] : model.provenance.settings) {
    if (name == "kernel") return value;
  }
  return model.kernel.to_string(3, model.columns);
}

/// Width of the widest name on the screen.
int width_of_names(const std::vector<const Model*>& models) {
  std::size_t width = std::string("target").size();
  for (const Model* model : models) {
    const std::string name = shortened(printable(model->columns.target), longest_name);
    width = std::max<std::size_t>(width, static_cast<std::size_t>(std::count_if(name.begin(), name.end(), [](char c) {
                                    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                                  })));
  }
  return static_cast<int>(width);
}

}  // namespace

std::string targets_table(const std::vector<const Model*>& models) {
  const int width = width_of_names(models);
  std::string text =
      fmt::format("{:<{}}  {:>9}  {:>11}  {:>9}  {}\n", "target", width, "rows", "cv rmse", "SMSE", "kernel");
  for (const Model* of_target : models) {
    const Model& model = *of_target;
    const double smse = std::pow(model.provenance.cv_rmse / target_deviation(model), 2);
    const std::string outcome =
        model.provenance.status == Status::converged ? "" : fmt::format("  ({})", name_of(model.provenance.status));
    text += fmt::format("{:<{}}  {:>9}  {:>11.5g}  {:>9.3g}  {}{}\n",
                        shortened(printable(model.columns.target), longest_name), width, grouped(model.x.rows()),
                        model.provenance.cv_rmse, smse, shortened(kernel_asked_for(model), longest_kernel), outcome);
  }
  return text;
}

std::string models_text(const std::vector<Model>& models, const std::string& path) {
  const Model& first = models.front();
  std::vector<const Model*> all;
  for (const Model& model : models) all.push_back(&model);
  const std::size_t inputs = inputs_of(first).size();
  std::string text = fmt::format("model      {}: {} targets from {} input{}\n\n{}\n", path, models.size(), inputs,
                                 inputs == 1 ? "" : "s", targets_table(all));
  if (!first.provenance.command.empty()) text += fmt::format("made by    {}\n", first.provenance.command);
  text += fmt::format("use        gpcv predict {0} NEW.csv -o predictions.csv; gpcv info {0} --target NAME\n", path);
  return text + "contents   the file contains the training rows\n";
}

}  // namespace gpcv::command
