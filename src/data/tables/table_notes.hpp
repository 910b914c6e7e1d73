/// Remarks on what the text of a table holds beside its cells.
#pragma once

#include <vector>

#include "data/tables/table.hpp"

namespace gpcv::csv {

/// The remarks on the encoding, the comments and the empty columns of the part of a table that was read so far.
std::vector<ReadingNote> notes_of(const Table& table);

}  // namespace gpcv::csv
