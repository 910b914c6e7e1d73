/// The choice of the columns that are inputs, target, noise, time and labels.
#pragma once

#include "data/tables/table.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv::csv {

/// The columns that the options name, by exact name or else by index.
Columns choose_columns(const Table& table, const ReadOptions& options);

/// The position of the time column, or -1 when the options name none. It may be a feature, but not the target.
Index choose_time(const Table& table, const ReadOptions& options, const Columns& chosen);

/// The position of the column of labels, or -1 when the options name none. It may be a feature, but not the target.
Index choose_labels(const Table& table, const ReadOptions& options, const Columns& chosen);

/// The positions of the columns whose text is passed on: the column of identifiers where the table has one of that
/// name, then the wanted ones.
std::vector<Index> choose_kept(const Table& table, const std::string& id, const std::vector<std::string>& wanted);

/// The columns that a model was trained on, by name when both tables have a header, else by position. Without
/// `with_target` the target is not read and may be absent; a column of noise may always be absent.
Columns match_columns(const Table& table, const Columns& trained, bool with_target);

}  // namespace gpcv::csv
