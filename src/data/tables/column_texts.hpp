/// What to do about a column of numbers in which a text was found.
#pragma once

#include <string>
#include <vector>

#include "data/tables/table.hpp"

namespace gpcv::csv {

/// The remedy for the texts of a column: some among many numbers may mean that there is no value, texts that are all
/// different identify the rows, and others are categories. The table is read again where that is possible.
Remedy remedy_for_text(Index position, const Table& table, const std::vector<std::string>& missing_texts);

}  // namespace gpcv::csv
