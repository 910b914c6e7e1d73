#include "assessment/inputs.hpp"

#include <fmt/format.h>

#include "data/columns/categories.hpp"

namespace gpcv {

std::vector<Input> inputs_of(const Columns& columns, Index d) {
  std::vector<Input> inputs;
  const bool named = columns.features.size() == static_cast<std::size_t>(d);
  for (Index at = 0; at < d; ++at) {
    const auto c = static_cast<std::size_t>(at);
    const std::string level = c < columns.levels.size() ? columns.levels[c] : "";
    const bool goes_on = !level.empty() && !inputs.empty() && !inputs.back().levels.empty() &&
                         columns.feature_indices[c] == columns.feature_indices[c - 1];
    if (!goes_on) inputs.push_back({named ? csv::column_name(columns, c) : fmt::format("c{}", at), {}, {}});
    inputs.back().columns.push_back(at);
    if (!level.empty()) inputs.back().levels.push_back(level);
  }
  return inputs;
}

std::vector<Input> inputs_of(const Model& model) {
  std::vector<Input> inputs = inputs_of(model.columns, model.scaling.x_mean.size());
  for (Input& input : inputs) {
    const Index first = input.columns[0];
    const auto column = model.x.col(first);
    input.range = (column.maxCoeff() - column.minCoeff()) * model.scaling.x_scale(first);
  }
  return inputs;
}

}  // namespace gpcv
