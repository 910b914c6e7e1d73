/// Data sets of several targets of one table.
#include "gpcv/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/name_lists.hpp"
#include "data/columns/read_all.hpp"
#include "data/tables/location.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"

namespace gpcv {
namespace {

/// The rows with a value.
std::vector<Index> rows_with_value(ConstVectorView y) {
  std::vector<Index> rows;
  for (Index i = 0; i < y.size(); ++i) {
    if (!std::isnan(y(i))) rows.push_back(i);
  }
  return rows;
}

/// The rows of the table that are left out when only some of the rows are kept.
std::vector<Index> dropped_with(const Reading& reading, ConstVectorView y) {
  std::vector<Index> dropped = reading.dropped;
  for (Index i = 0; i < y.size(); ++i) {
    if (std::isnan(y(i))) dropped.push_back(reading.table_row(i));
  }
  std::sort(dropped.begin(), dropped.end());
  return dropped;
}

Dataset of_target(const Dataset& inputs, ConstVectorView y, const std::string& name) {
  const std::vector<Index> rows = rows_with_value(y);
  const Index missing = y.size() - static_cast<Index>(rows.size());
  Dataset data = missing == 0 ? inputs : inputs.rows_at(rows);
  data.y = y(rows);
  data.columns.target = name;
  data.reading = inputs.reading;
  if (missing == 0) return data;
  data.reading.dropped = dropped_with(inputs.reading, y);
  data.reading.missing.emplace_back(name, missing);
  return data;
}

/// Data sets of the targets that a reader reads, with their own positions and readings.
std::vector<Dataset> split(const RowReader& reader, const Dataset& inputs, const Matrix& y,
                           const std::vector<std::string>& names) {
  std::vector<Dataset> targets = split_targets(inputs, y, names);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    Reading reading = reader.reading_of_target(t);
    reading.dropped = std::move(targets[t].reading.dropped);
    targets[t].reading = std::move(reading);
    targets[t].columns.target_index = reader.targets()[t];
  }
  return targets;
}

/// The targets that the text names or that fit it, in the order of the names.
std::vector<std::size_t> named_or_fitting(const std::vector<std::string>& names, const std::string& text) {
  std::vector<std::size_t> found;
  const bool is_name = std::find(names.begin(), names.end(), text) != names.end();
  for (std::size_t t = 0; t < names.size(); ++t) {
    if (is_name ? names[t] == text : text.find('*') != text.npos && fits_pattern(names[t], text)) found.push_back(t);
  }
  if (!found.empty()) return found;
  const std::string nearest = similar_name(names, text);
  throw InputError(fmt::format("no target {}; {}the model has {}", csv::excerpt(text),
                               nearest.empty() ? "" : fmt::format("did you mean {}? ", csv::excerpt(nearest)),
                               csv::list_names(names)));
}

}  // namespace

std::vector<std::size_t> find_targets(const std::vector<std::string>& names, const std::string& wanted) {
  std::vector<std::size_t> found;
  for (const std::string& text : is_list(names, wanted) ? listed_texts(names, wanted) : std::vector{wanted}) {
    for (const std::size_t t : named_or_fitting(names, text)) {
      if (std::find(found.begin(), found.end(), t) == found.end()) found.push_back(t);
    }
  }
  return found;
}

std::vector<Dataset> split_targets(const Dataset& inputs, ConstView y, const std::vector<std::string>& names) {
  if (y.rows() != inputs.rows() || y.cols() != static_cast<Index>(names.size())) {
    throw InputError(fmt::format("{} rows of inputs and {} names, but targets of {} rows and {} columns", inputs.rows(),
                                 names.size(), y.rows(), y.cols()));
  }
  std::vector<Dataset> targets;
  for (Index t = 0; t < y.cols(); ++t) {
    targets.push_back(of_target(inputs, y.col(t), names[static_cast<std::size_t>(t)]));
  }
  return targets;
}

std::vector<Dataset> read_targets(const std::filesystem::path& path, const ReadOptions& options,
                                  const std::vector<std::string>& targets) {
  RowReader reader(path, options, targets);
  Matrix y;
  Dataset inputs = read_all(reader, options.progress, &y);
  inputs.y.resize(0);
  inputs.columns.dates = inputs.reading.dates;
  inputs.columns.decimal = inputs.reading.decimal;
  std::vector<Dataset> data = split(reader, inputs, y, reader.target_names());
  for (Dataset& target : data) target.columns.target_is_date = target.reading.target_is_date;
  return data;
}

std::vector<Dataset> read_targets_like(const std::filesystem::path& path, const std::vector<Columns>& trained,
                                       const LikeOptions& options) {
  if (trained.empty()) throw InputError("there is no model whose columns could be read");
  LikeOptions with_targets = options;
  with_targets.with_target = true;
  RowReader reader(path, trained, with_targets);
  Matrix y;
  Dataset inputs = read_all(reader, {}, &y);
  inputs.y.resize(0);
  return split(reader, inputs, y, reader.target_names());
}

}  // namespace gpcv
