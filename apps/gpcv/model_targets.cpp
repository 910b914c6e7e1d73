#include "model_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "console/printable.hpp"
#include "gpcv/error.hpp"
#include "gpcv/targets.hpp"

namespace gpcv::command {
namespace {

/// The names as 'a', 'b', 'c', at most ten.
std::string quoted(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", printable(names[i]));
  }
  return names.size() > most ? fmt::format("{}, … ({} in all)", text, names.size()) : text;
}

}  // namespace

std::vector<Model> chosen_models(const std::string& path, const std::string& targets) {
  std::vector<Model> models = load_models(path);
  if (targets.empty()) return models;
  std::vector<Model> chosen;
  for (const std::size_t t : find_targets(target_names(models), targets)) chosen.push_back(std::move(models[t]));
  return chosen;
}

Model chosen_model(const std::string& path, const std::string& target) {
  std::vector<Model> models = chosen_models(path, target);
  if (models.size() == 1) return std::move(models.front());
  throw InputError(
      fmt::format("{} has the targets {}; choose one with --target NAME", path, quoted(target_names(models))));
}

void require_one_target(const std::vector<std::string>& names, const std::string& what) {
  if (names.size() == 1) return;
  throw InputError(fmt::format("{} takes one target; choose one of {} with --target", what, quoted(names)));
}

std::vector<std::string> target_names(const std::vector<Model>& models) {
  std::vector<std::string> names;
  for (const Model& model : models) names.push_back(model.columns.target);
  return names;
}

void add_model_target_option(CLI::App& command, std::string& target, const std::string& what) {
  command.add_option("--target", target, fmt::format("Of a model of several targets: {}", what));
}

}  // namespace gpcv::command
