/// The choice of the columns that are inputs, target, noise, time and labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/tables/table.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv::csv {

/// The positions of all columns of this name.
std::vector<Index> positions_named(const Table& table, std::string_view name);

/// The position of the column with this name, or else with this index. Throws InputError when there is none, and when
/// the name occurs more than once.
Index find_column(const Table& table, const std::string& wanted);

/// The position of the target that the options name, by exact name or else by index; empty when they name none.
std::vector<Index> choose_target(const Table& table, const ReadOptions& options);

/// The columns that the options name, by exact name or else by index. The first target is the one of the columns.
Columns choose_columns(const Table& table, const ReadOptions& options, const std::vector<Index>& targets);

/// The position of the time column, or -1 when the options name none. It may be a feature, but not a target.
Index choose_time(const Table& table, const ReadOptions& options, const std::vector<Index>& targets);

/// The position of the column of labels, or -1 when the options name none. It may be a feature, but not a target.
Index choose_labels(const Table& table, const ReadOptions& options, const std::vector<Index>& targets);

/// The positions of the columns whose text is passed on: the column of identifiers where the table has one of that
/// name, then the wanted ones.
std::vector<Index> choose_kept(const Table& table, const std::string& id, const std::vector<std::string>& wanted);

/// The columns that a model was trained on, by name when both tables have a header, else by position. Without
/// `with_target` the target is not read and may be absent; a column of noise may always be absent.
Columns match_columns(const Table& table, const Columns& trained, bool with_target);

/// The positions of the targets of models with the same inputs.
std::vector<Index> match_targets(const Table& table, const std::vector<Columns>& trained);

}  // namespace gpcv::csv
