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

/// Writes rows of texts and numbers; a number that is NaN is an empty cell. There may be no texts.
void write_rows(CsvWriter& writer, const std::vector<std::vector<std::string>>& texts, const Matrix& values);

/// Writes the predictions of all rows that `next` delivers, after the texts that the rows keep.
void write_predictions(const PredictionTable& table, const std::vector<std::string>& kept, const NextRows& next,
                       CsvWriter& writer, LiveLine& live);

}  // namespace gpcv::command
