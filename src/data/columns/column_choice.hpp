/// Which columns of a table are the inputs and which is the target.
#pragma once

#include "data/tables/table.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv::csv {

/// The columns the user asked for: by exact name, else by index.
Columns choose_columns(const Table& table, const ReadOptions& options);

/// Position of the time column, -1 when none was asked for. It may be a feature, but not the target.
Index choose_time(const Table& table, const ReadOptions& options, const Columns& chosen);

/// Position of the column that tells rows apart, -1 when none was asked for. It may be a feature, but not the target.
Index choose_labels(const Table& table, const ReadOptions& options, const Columns& chosen);

/// The columns a model was trained on: by name when both tables have a header, else by position.
/// Without `with_target` the target is left out and need not be there; a column of noise need not either.
Columns match_columns(const Table& table, const Columns& trained, bool with_target);

}  // namespace gpcv::csv
