/// Tables of numbers in a file or on standard output.
#pragma once

#include <functional>
#include <string>

#include "console/live_line.hpp"
#include "gpcv/csv_writer.hpp"
#include "gpcv/prediction_table.hpp"

namespace gpcv::command {

/// Calls `write` with a writer to the file, which is written atomically, or to standard output when `path` is empty.
void write_table(const std::string& path, const std::function<void(CsvWriter&)>& write);

/// Function that fills the batch with at most `most` rows and returns their number; 0 at the end.
using NextRows = std::function<Index(Index most, RowBatch& batch)>;

/// Writes the predictions of all rows that `next` delivers. `stop` is called between batches; when it returns true,
/// Interrupted is thrown.
void write_predictions(const PredictionTable& table, const NextRows& next, const std::function<bool()>& stop,
                       CsvWriter& writer, LiveLine& live);

}  // namespace gpcv::command
