/// Categorical columns: each level of a column of text becomes an indicator column.
#pragma once

#include <string>
#include <vector>

#include "data/tables/table.hpp"

namespace gpcv::csv {

/// The distinct texts of the columns at the positions, in alphabetical order. The function reads the table once, from
/// its beginning. A missing cell is no level. It throws InputError for a missing cell, unless such rows are left out,
/// and for a column with too many levels to be a category.
std::vector<std::vector<std::string>> levels_of(const Table& table, const std::vector<Index>& positions,
                                                const ReadOptions& options);

/// Replaces each feature at one of the positions by its indicators, named "column=level".
void expand_levels(Columns& columns, const Table& table, const std::vector<Index>& positions,
                   const ReadOptions& options);

/// The name of the table column that a feature comes from, without the level of an indicator.
std::string column_name(const Columns& columns, std::size_t feature);

/// Throws an InputError that lists the levels the model knows.
[[noreturn]] void fail_unknown_level(const Table& table, const Row& row, Index position, const Columns& columns);

}  // namespace gpcv::csv
