/// Columns of text that become indicators, one per level.
#pragma once

#include <string>
#include <vector>

#include "data/tables/table.hpp"

namespace gpcv::csv {

/// The distinct texts of some columns of a table, in alphabetical order. Reads the table once, from its beginning.
/// Throws InputError for an empty cell, for a column that does not vary, and for one with more levels than can be
/// meant.
std::vector<std::vector<std::string>> levels_of(const Table& table, const std::vector<Index>& positions,
                                                Missing missing);

/// Replaces each feature at one of the positions by its indicators, named "column=level".
void expand_levels(Columns& columns, const Table& table, const std::vector<Index>& positions, Missing missing);

/// The name of the column that a feature stands in, without the level of an indicator.
std::string column_name(const Columns& columns, std::size_t feature);

/// Throws InputError: the model knows other levels.
[[noreturn]] void fail_unknown_level(const Table& table, const Row& row, Index position, const Columns& columns);

}  // namespace gpcv::csv
