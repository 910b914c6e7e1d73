/// The choice of several targets of one table.
#pragma once

#include <string>
#include <vector>

#include "data/tables/table.hpp"

namespace gpcv::csv {

/// The positions of the targets, in the order in which they are named. A text names a column or an index; otherwise it
/// is a list of such texts between commas, or a pattern in which * stands for any text, also for none. A pattern adds
/// the columns that are no targets yet. Throws InputError for a target that is named twice.
std::vector<Index> choose_targets(const Table& table, const std::vector<std::string>& wanted);

}  // namespace gpcv::csv
