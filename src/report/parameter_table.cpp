#include "gpcv/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "data/columns/spread.hpp"
#include "model/design.hpp"

namespace gpcv {
namespace {

/// Kernel family of a parameter: "matern52" of "matern522.l". It is empty for the label of a tie, which may join
/// several.
std::string_view family_of(std::string_view name) {
  if (name.find('.') == std::string_view::npos) return {};
  // The longest name wins, should one be the beginning of another.
  static const std::vector<std::string> names = family_names();
  std::string_view found;
  for (const std::string& family : names) {
    if (name.starts_with(family) && family.size() > found.size()) found = family;
  }
  return found;
}

/// Number of parameters at the end of the kernel that the user did not write: those of the mean function, fixed at
/// vague values, and the variance of the factor that carries the noise of each row.
std::size_t appended_parameters(const Model& model) {
  return mean_parameters(model.mean, model.scaling.x_mean.size()) + (model.noise_reference > 0 ? 1 : 0);
}

/// Names of input columns; only their number where there are more than three.
std::string joined(const Model& model, const std::vector<Index>& columns) {
  if (columns.size() > 3) return fmt::format("{} inputs", columns.size());
  std::vector<std::string> names;
  for (const Index c : columns) names.push_back(model.columns.features[static_cast<std::size_t>(c)]);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Unit of an input: years for a date, otherwise that of the column, which has its name.
std::string unit_of(const Columns& columns, Index c) {
  const bool date = columns.dates && std::find(columns.dates->begin(), columns.dates->end(), c) != columns.dates->end();
  return date ? "years" : columns.features[static_cast<std::size_t>(c)];
}

/// Describes a length scale or period, in the units of its column or, for several columns, in standard deviations.
void describe_length(const Model& model, const Diagnostics& seen, const Parameter& p, ParameterRow& row) {
  const bool period = p.role == Role::period;
  const bool linear = family_of(p.name) == "linear";
  row.label = fmt::format("{} of {}",
                          period   ? "period"
                          : linear ? "slope divisor"
                                   : "length scale",
                          joined(model, p.columns));
  row.meaning = period   ? "distance after which the pattern repeats"
                : linear ? "divisor of the slope along the input: a large value is flat"
                : family_of(p.name) == "periodic"
                    ? "smoothness within one period: a small value permits sharp changes"
                    : "distance over which the target varies: a short one is wiggly, a long one is flat";
  row.value = p.value;
  if (family_of(p.name) == "periodic" && !period) {  // a length on the circle has no unit
    row.label = "length scale within a period";
    return;
  }
  if (p.columns.size() == 1) {
    const Index c = p.columns[0];
    row.value *= model.scaling.x_scale(c);
    row.unit = unit_of(model.columns, c);
    if (!period) {
      row.column = c;
      row.relative = p.value / spread(model.x.col(c)).deviation;
    }
    for (const Input& input : seen.inputs) {
      if (input.columns[0] != c || !input.levels.empty() || linear || !(input.range > 0)) continue;
      if (row.value > 10 * input.range) {
        row.remark = "the input has little effect: ten times the range of the data";
      } else if (row.value > 2 * input.range && !period) {
        row.remark = "the effect is nearly linear over the data";
      }
    }
  } else if ((model.scaling.x_scale.array() != 1).any()) {
    row.unit = "standard deviations of each";
  }
}

/// The target in whose units variances are: the transformed one.
std::string target_unit(const Model& model) {
  return model.transform.is_none() ? model.columns.target : model.transform.label(model.columns.target);
}

/// Describes a variance as a standard deviation in the target's units.
void describe_variance(const Model& model, const Parameter& p, double error, ParameterRow& row) {
  const std::string_view family = family_of(p.name);
  row.label = family == "const" ? "offset" : family == "linear" ? "size of slopes" : "amplitude";
  row.meaning = family == "const"    ? "prior standard deviation of a constant"
                : family == "linear" ? "change of the target per standard deviation of an input"
                                     : "typical contribution of this summand of the kernel";
  row.value = std::sqrt(p.value) * model.scaling.y_scale;
  row.unit = target_unit(model);
  row.relative_error = error / 2;
}

/// Row of the noise, as a standard deviation in the target's units.
ParameterRow noise_row(const Model& model, double error) {
  ParameterRow row{"noise",
                   "noise",
                   "standard deviation of the part of the target that the inputs do not explain",
                   noise_std(model),
                   target_unit(model),
                   error / 2,
                   noise_is_free(model) ? "" : "held"};
  if (!model.noise_process.is_constant()) {
    row.meaning = "standard deviation of the noise of a typical row; it depends on the inputs";
  } else if (has_given_noise(model)) {
    row.meaning =
        fmt::format("standard deviation of the noise of a typical row; the column {} defines that of each row",
                    model.columns.noise);
    if (!model.columns.noise_is_weight) row.remark = "known";
  }
  return row;
}

}  // namespace

std::vector<ParameterRow> parameter_table(const Model& model, const Diagnostics& seen) {
  const auto error_of = [&](const std::string& name) {
    for (const auto& [known, error] : model.provenance.standard_errors) {
      if (known == name) return error;
    }
    return std::nan("");
  };
  const auto listed = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto all = model.kernel.parameters();
  std::vector<ParameterRow> rows;
  for (const Parameter& p : all.first(all.size() - appended_parameters(model))) {
    // A variance that would only repeat another one is fixed at 1 and not shown.
    if (p.role == Role::variance && p.fixed && p.value == 1 && !p.given) continue;
    const double error = error_of(p.name);
    ParameterRow row{p.name, "", "", p.value, "", error, ""};
    switch (p.role) {
      case Role::length_scale:
      case Role::period:
        describe_length(model, seen, p, row);
        break;
      case Role::variance:
        describe_variance(model, p, error, row);
        break;
      case Role::shape:
        row.label = "mixture of length scales";
        row.meaning = "a small value mixes many length scales; a large one approaches se";
        break;
    }
    if (p.fixed) row.remark = "held";
    rows.push_back(std::move(row));
  }
  rows.push_back(noise_row(model, error_of("noise")));
  for (ParameterRow& row : rows) {
    if (listed(seen.outcome.at_bounds, row.name)) row.remark = "at its bound";
    if (!listed(seen.outcome.unknown, row.name)) continue;
    row.remark = "not determined by the data";
    row.relative_error = std::nan("");
  }
  return rows;
}

std::string label_of(const std::vector<ParameterRow>& rows, const std::string& name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const ParameterRow& r) { return r.name == name; });
  if (row == rows.end()) return name;
  const auto alike =
      std::count_if(rows.begin(), rows.end(), [&](const ParameterRow& r) { return r.label == row->label; });
  return alike > 1 ? fmt::format("{} ({})", row->label, name) : row->label;
}

}  // namespace gpcv
