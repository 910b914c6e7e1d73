#include "data/columns/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "data/columns/categories.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"

namespace gpcv::csv {
namespace {

[[noreturn]] void fail(const Table& table, std::string_view what, Remedy remedy = Remedy::none) {
  throw InputError(fmt::format("{}:{}: {}", table.path().string(), table.first_line(), what), remedy);
}

/// The question "did you mean 'x'? " for the most similar name, or nothing when none is similar.
std::string suggestion(const std::vector<std::string>& names, std::string_view wanted) {
  const std::string nearest = similar_name(names, wanted);
  return nearest.empty() ? "" : fmt::format("did you mean {}? ", excerpt(nearest));
}

[[noreturn]] void fail_ambiguous(const Table& table, std::string_view name, const std::vector<Index>& positions) {
  fail(table, fmt::format("the column name {} is ambiguous, it occurs at the indices {}; give the index, or rename one",
                          excerpt(name), fmt::join(positions, ", ")));
}

std::optional<long long> as_integer(std::string_view text) {
  long long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || stop != text.data() + text.size() || error != std::errc()) return std::nullopt;
  return value;
}

void add_feature(Columns& columns, const Table& table, Index position) {
  columns.feature_indices.push_back(position);
  columns.features.push_back(table.names()[static_cast<std::size_t>(position)]);
}

void set_target(Columns& columns, const Table& table, Index position) {
  columns.target_index = position;
  columns.target = table.names()[static_cast<std::size_t>(position)];
}

Columns empty_choice(const Table& table) {
  Columns columns;
  columns.table_columns = table.columns();
  columns.has_header = table.has_header();
  return columns;
}

void set_noise(Columns& columns, const Table& table, Index position) {
  columns.noise_index = position;
  columns.noise = table.names()[static_cast<std::size_t>(position)];
}

/// The names of the columns that a model's inputs come from, each once.
std::vector<std::string> input_columns(const Columns& trained) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < trained.features.size(); ++j) {
    if (j > 0 && trained.feature_indices[j] == trained.feature_indices[j - 1]) continue;
    names.push_back(column_name(trained, j));
  }
  return names;
}

/// The position of a column by name. Where the name occurs more than once, the column at the trained position is meant.
Index find_like(const Table& table, const std::string& name, Index trained_position, const Columns& trained) {
  const auto positions = positions_named(table, name);
  if (std::find(positions.begin(), positions.end(), trained_position) != positions.end()) return trained_position;
  if (positions.size() > 1) fail_ambiguous(table, name, positions);
  if (positions.size() == 1) return positions.front();
  const std::string target = trained.target_index == trained_position
                                 ? fmt::format(" and the target {}", excerpt(trained.target))
                                 : std::string();
  fail(table, fmt::format("no column {}; {}the model needs {}{}, the table has {}", excerpt(name),
                          suggestion(table.names(), name), list_names(input_columns(trained)), target,
                          list_names(table.names())));
}

Columns match_by_name(const Table& table, const Columns& trained, bool with_target) {
  Columns columns = empty_choice(table);
  for (std::size_t j = 0; j < trained.features.size(); ++j) {
    add_feature(columns, table, find_like(table, column_name(trained, j), trained.feature_indices[j], trained));
  }
  columns.features = trained.features;
  if (trained.noise_index >= 0) {
    const auto noise = positions_named(table, trained.noise);
    if (noise.size() == 1) set_noise(columns, table, noise.front());
  }
  if (with_target) set_target(columns, table, find_like(table, trained.target, trained.target_index, trained));
  return columns;
}

Columns match_by_position(const Table& table, const Columns& trained, bool with_target) {
  Columns columns = empty_choice(table);
  std::vector<Index> own(trained.feature_indices);  // the indicators of a category share one column
  own.erase(std::unique(own.begin(), own.end()), own.end());
  const auto inputs = static_cast<Index>(own.size());
  if (table.columns() == trained.table_columns) {
    for (Index position : trained.feature_indices) add_feature(columns, table, position);
    columns.features = trained.features;
    if (trained.noise_index >= 0) set_noise(columns, table, trained.noise_index);
    if (with_target) set_target(columns, table, trained.target_index);
  } else if (table.columns() == inputs && !with_target) {
    for (Index feature : trained.feature_indices) {
      add_feature(columns, table, std::find(own.begin(), own.end(), feature) - own.begin());
    }
    columns.features = trained.features;
  } else {
    const std::string inputs_only = with_target ? "" : fmt::format(", or just its {} inputs in order", inputs);
    fail(table, fmt::format("the table has {} columns and no names in common with the model; give the {} columns of "
                            "the training table{}, or a header with the model's names: {}",
                            table.columns(), trained.table_columns, inputs_only, list_names(input_columns(trained))));
  }
  return columns;
}

}  // namespace

std::vector<Index> positions_named(const Table& table, std::string_view name) {
  std::vector<Index> positions;
  for (Index j = 0; j < table.columns(); ++j) {
    if (table.names()[static_cast<std::size_t>(j)] == name) positions.push_back(j);
  }
  return positions;
}

Index find_column(const Table& table, const std::string& wanted) {
  const auto positions = positions_named(table, wanted);
  if (positions.size() > 1) fail_ambiguous(table, wanted, positions);
  if (positions.size() == 1) return positions.front();

  const Index columns = table.columns();
  if (const auto index = as_integer(wanted)) {
    if (*index < -columns || *index >= columns) {
      fail(table, fmt::format("the column index {} is out of range: the table has {} columns, 0 to {} or -{} to -1",
                              wanted, columns, columns - 1, columns));
    }
    return *index < 0 ? *index + columns : *index;
  }
  fail(table, fmt::format("no column {}; {}the table has {}", excerpt(wanted), suggestion(table.names(), wanted),
                          list_names(table.names())));
}

namespace {

bool contains(const std::vector<Index>& positions, Index position) {
  return std::find(positions.begin(), positions.end(), position) != positions.end();
}

/// The name of the column, in quotes.
std::string quoted_name(const Table& table, Index position) {
  return excerpt(table.names()[static_cast<std::size_t>(position)]);
}

/// Sets the column of identifiers. Returns its position, or -1 when the options name none.
Index set_id(Columns& columns, const Table& table, const ReadOptions& options, const std::vector<Index>& targets) {
  if (options.id.empty()) return -1;
  const Index position = find_column(table, options.id);
  columns.id = table.names()[static_cast<std::size_t>(position)];
  if (contains(targets, position)) fail(table, "the column that identifies the rows cannot be the target");
  return position;
}

void add_named_features(Columns& columns, const Table& table, const ReadOptions& options,
                        const std::vector<Index>& targets, Index id) {
  for (const std::string& wanted : options.features) {
    const Index position = find_column(table, wanted);
    const auto& chosen = columns.feature_indices;
    if (contains(targets, position)) {
      fail(table,
           fmt::format("the target {} is also among the features; leave it out of them", quoted_name(table, position)));
    }
    if (std::find(chosen.begin(), chosen.end(), position) != chosen.end()) {
      fail(table, fmt::format("the feature {} is asked for twice; name it once", excerpt(wanted)));
    }
    if (position == columns.noise_index || position == id) {
      fail(table, fmt::format("the feature {} is also the {}; leave it out of the features", excerpt(wanted),
                              position == id ? "identifier of the rows" : "noise"));
    }
    add_feature(columns, table, position);
  }
}

/// Adds all columns that have no other purpose.
void add_other_features(Columns& columns, const Table& table, const ReadOptions& options,
                        const std::vector<Index>& targets, Index id) {
  const Index labels = choose_labels(table, options, targets);
  for (Index j = 0; j < table.columns(); ++j) {
    const bool other = contains(targets, j) || j == labels || j == columns.noise_index || j == id;
    if (!other) add_feature(columns, table, j);
  }
  if (!columns.features.empty()) return;
  if (labels >= 0 || columns.noise_index >= 0 || id >= 0) {
    fail(table, "target, folds and noise leave no column of inputs", Remedy::name_inputs);
  }
  if (targets.size() > 1) {
    fail(table, fmt::format("all {} columns are targets; add a column of inputs", table.columns()));
  }
  fail(table, fmt::format("the target {} is the only column; add a column of inputs", excerpt(columns.target)));
}

}  // namespace

std::vector<Index> choose_target(const Table& table, const ReadOptions& options) {
  if (options.target.empty()) return {};
  return {find_column(table, options.target)};
}

Columns choose_columns(const Table& table, const ReadOptions& options, const std::vector<Index>& targets) {
  Columns columns = empty_choice(table);
  if (!targets.empty()) set_target(columns, table, targets.front());
  const Index id = set_id(columns, table, options, targets);

  if (!options.noise.empty()) {
    set_noise(columns, table, find_column(table, options.noise));
    columns.noise_is_weight = options.noise_is_weight;
    if (contains(targets, columns.noise_index)) fail(table, "the noise of a row cannot be its target");
  }
  if (options.features.empty()) add_other_features(columns, table, options, targets, id);
  add_named_features(columns, table, options, targets, id);
  std::vector<Index> categories;
  for (const std::string& wanted : options.categorical) {
    const Index position = find_column(table, wanted);
    const auto& chosen = columns.feature_indices;
    if (std::find(chosen.begin(), chosen.end(), position) == chosen.end()) {
      fail(table, fmt::format("the categorical column {} is not among the features", excerpt(wanted)));
    }
    categories.push_back(position);
  }
  expand_levels(columns, table, categories, options);
  return columns;
}

Index choose_labels(const Table& table, const ReadOptions& options, const std::vector<Index>& targets) {
  if (options.labels.empty()) return -1;
  const Index position = find_column(table, options.labels);
  if (contains(targets, position)) {
    fail(table,
         fmt::format("the column {} is the target; choose another to make folds by", quoted_name(table, position)));
  }
  return position;
}

Index choose_time(const Table& table, const ReadOptions& options, const std::vector<Index>& targets) {
  if (options.time.empty()) return -1;
  const Index position = find_column(table, options.time);
  if (contains(targets, position)) {
    fail(table, fmt::format("the time column {} is the target; choose another to order the rows by",
                            quoted_name(table, position)));
  }
  return position;
}

std::vector<Index> choose_kept(const Table& table, const std::string& id, const std::vector<std::string>& wanted) {
  std::vector<Index> kept;
  if (!id.empty() && table.has_header()) {
    const auto positions = positions_named(table, id);
    if (positions.size() == 1) kept.push_back(positions.front());
  }
  for (const std::string& name : wanted) {
    const Index position = find_column(table, name);
    if (std::find(kept.begin(), kept.end(), position) == kept.end()) kept.push_back(position);
  }
  return kept;
}

Columns match_columns(const Table& table, const Columns& trained, bool with_target) {
  if (with_target && trained.target_index < 0) fail(table, "a target is asked for, but the model was given none");
  Columns columns = trained.has_header && table.has_header() ? match_by_name(table, trained, with_target)
                                                             : match_by_position(table, trained, with_target);
  columns.levels = trained.levels;
  columns.dates = trained.dates;
  columns.target_is_date = trained.target_is_date;
  columns.id = trained.id;
  columns.noise_is_weight = trained.noise_is_weight;
  return columns;
}

std::vector<Index> match_targets(const Table& table, const std::vector<Columns>& trained) {
  std::vector<Index> targets;
  for (const Columns& columns : trained) targets.push_back(match_columns(table, columns, true).target_index);
  return targets;
}

}  // namespace gpcv::csv
