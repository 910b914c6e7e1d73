#include "data/diagnosis/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/columns/categories.hpp"
#include "data/columns/spread.hpp"
#include "data/tables/location.hpp"

namespace gpcv {
namespace {

/// The recommended number of rows per input for estimating length scales (Loeppky, Sacks and Welch 2009).
constexpr Index rows_per_input = 10;

std::string name_of_input(const Dataset& data, Index j) {
  const auto& names = data.columns.features;
  return j < static_cast<Index>(names.size()) ? names[static_cast<std::size_t>(j)] : fmt::format("c{}", j);
}

DiagnosedColumn diagnosed(std::string name, const double* values, Index rows, bool is_target) {
  DiagnosedColumn column{.name = std::move(name), .values = {values, rows}, .is_target = is_target};
  if (rows == 0) return column;
  column.least = column.values.minCoeff();
  column.most = column.values.maxCoeff();
  const Spread found = spread(column.values);
  column.mean = found.mean;
  column.deviation = found.deviation;
  return column;
}

void diagnose_size(const Dataset& data, std::vector<Finding>& out) {
  std::vector<std::string> inputs;
  for (Index j = 0; j < data.inputs(); ++j) inputs.push_back(name_of_input(data, j));
  out.push_back(
      {Severity::note, "size",
       fmt::format("{} row{}, {} input{} ({}), target {}", data.rows(), data.rows() == 1 ? "" : "s", data.inputs(),
                   data.inputs() == 1 ? "" : "s", csv::list_names(inputs), csv::excerpt(data.columns.target))});
}

void diagnose_missing(const Reading& reading, Missing policy, std::vector<Finding>& out) {
  if (reading.dropped.empty()) return;
  constexpr std::size_t most = 10;
  Index cells = 0;
  std::vector<std::string> counts;
  for (const auto& [name, count] : reading.missing) {
    cells += count;
    if (counts.size() < most) counts.push_back(fmt::format("{} {}", csv::excerpt(name), count));
  }
  if (counts.size() < reading.missing.size()) counts.emplace_back("…");
  const std::size_t rows = reading.dropped.size();
  const std::string what = fmt::format("{} cell{} missing in {} row{} ({})", cells, cells == 1 ? " is" : "s are", rows,
                                       rows == 1 ? "" : "s", fmt::join(counts, ", "));
  if (policy == Missing::drop) {
    const char* advice = rows == 1 ? "the row is left out" : "these rows are left out";
    out.push_back({Severity::warning, "missing", fmt::format("{}: {}", what, advice)});
  } else {
    out.push_back({Severity::error,
                   "missing",
                   fmt::format("{}; {} in all", reading.first_missing, what),
                   Remedy::drop_missing_rows,
                   {std::to_string(rows)}});
  }
}

void diagnose_row_count(const Dataset& data, std::vector<Finding>& out) {
  if (data.rows() >= rows_per_input * data.inputs()) return;
  out.push_back(
      {Severity::warning, "few-rows",
       fmt::format("{} rows for {} input{}: with fewer than {} rows per input length scales are poorly determined",
                   data.rows(), data.inputs(), data.inputs() == 1 ? "" : "s", rows_per_input),
       Remedy::add_rows_or_choose_inputs});
}

bool all_finite(const Dataset& data) { return data.x.allFinite() && data.y.allFinite(); }

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "unknown";
}

bool would_train(const std::vector<Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::error; });
}

std::vector<Finding> at_least(Severity severity, std::vector<Finding> findings) {
  std::erase_if(findings, [&](const Finding& finding) { return finding.severity < severity; });
  return findings;
}

std::string named(const std::vector<std::string>& names) {
  return fmt::format("{} {}", names.size() == 1 ? "column" : "columns", csv::list_names(names));
}

std::vector<DiagnosedColumn> diagnosed_columns(const Dataset& data) {
  std::vector<DiagnosedColumn> columns;
  for (Index j = 0; j < data.inputs(); ++j) {
    columns.push_back(diagnosed(name_of_input(data, j), data.x.col(j).data(), data.rows(), false));
    const auto at = static_cast<std::size_t>(j);
    const std::string& name = columns.back().name;
    columns.back().unnamed = data.columns.has_header && at < data.columns.feature_indices.size() &&
                             name == fmt::format("c{}", data.columns.feature_indices[at]);
    const bool indicator = at < data.columns.levels.size() && !data.columns.levels[at].empty();
    if (!indicator) continue;
    columns.back().category = data.columns.feature_indices[at];
    if (columns.back().constant()) columns.back().name = csv::column_name(data.columns, at);
  }
  if (data.y.size() == data.rows()) {
    columns.push_back(diagnosed(data.columns.target, data.y.data(), data.rows(), true));
  }
  return columns;
}

std::vector<Finding> diagnose(const Dataset& data, const DiagnosisOptions& options) {
  if (!options.transform.is_none()) {
    Dataset transformed = data;
    transformed.y = options.transform.forward(data.y);
    DiagnosisOptions rest = options;
    rest.transform = {};
    return diagnose(transformed.y.allFinite() ? transformed : data, rest);
  }
  const auto step = [&](std::string_view name) {
    if (options.progress) options.progress(name);
  };
  std::vector<Finding> out;
  diagnose_size(data, out);
  for (Finding& finding : findings_of_reading(data.reading)) out.push_back(std::move(finding));
  diagnose_missing(data.reading, options.missing, out);
  // Training refuses fewer rows and values that are not finite; that error says all.
  if (data.rows() < 3 || !all_finite(data)) return out;
  diagnose_row_count(data, out);
  step("columns");
  const std::vector<DiagnosedColumn> columns = diagnosed_columns(data);
  diagnose_meaning(columns, out);
  diagnose_levels(data.columns, data.rows(), out);
  diagnose_columns(columns, data.reading, out);
  step("pairs of columns");
  diagnose_relations(columns, out);
  step("rows");
  diagnose_rows(columns, out);
  step("order");
  if (!options.ordered_folds) diagnose_order(columns, data.reading, out);
  return out;
}

}  // namespace gpcv
