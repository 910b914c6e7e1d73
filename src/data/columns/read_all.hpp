/// All rows of a table in memory.
#pragma once

#include <functional>

#include "data/tables/row_reader.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv {

/// Reads all rows. `progress` is called occasionally with their number; several targets are returned in `targets`.
Dataset read_all(RowReader& stream, const std::function<void(Index)>& progress = {}, Matrix* targets = nullptr);

}  // namespace gpcv
