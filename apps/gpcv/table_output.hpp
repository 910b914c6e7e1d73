/// Tables of numbers in a file or on standard output.
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "console/live_line.hpp"
#include "gpcv/csv_writer.hpp"
#include "gpcv/prediction_table.hpp"

namespace gpcv::command {

/// Whether a name stands for standard output: none, "-", or its device.
bool is_standard_output(const std::string& path);
/// The name itself, or an empty one where it stands for standard output.
std::string named_file(const std::string& path);
/// Throws InputError unless a table can be written there: to standard output, to a named pipe, or to a file that is
/// none of the inputs.
void require_table(const std::string& path, std::initializer_list<std::filesystem::path> inputs = {});

/// Calls `write` with a writer to the file, which is written atomically, to a named pipe, or to standard output.
void write_table(const std::string& path, const std::function<void(CsvWriter&)>& write);

/// Function that fills the batch with at most `most` rows and returns their number; 0 at the end.
using NextRows = std::function<Index(Index most, RowBatch& batch)>;

/// Writes rows of texts and numbers; a number that is NaN is an empty cell. There may be no texts.
void write_rows(CsvWriter& writer, const std::vector<std::vector<std::string>>& texts, const Matrix& values);

/// Columns of predictions side by side: their names, and their values for a batch of rows.
struct PredictedColumns {
  std::vector<std::string> names;
  std::function<Matrix(const RowBatch&)> values;
  Index rows_at_once = rows_per_prediction_batch;  ///< rows that a batch should have
};
/// Columns of one table of predictions, which must outlive them.
PredictedColumns columns_of(const PredictionTable& table);
/// Columns of the tables of several targets, "NAME.mean" and so on; those of a single one have no such prefix.
PredictedColumns columns_of(const std::vector<PredictionTable>& tables, const std::vector<std::string>& targets);

/// Writes the predictions of all rows that `next` delivers, after the texts that the rows keep.
void write_predictions(const PredictedColumns& columns, const std::vector<std::string>& kept, const NextRows& next,
                       CsvWriter& writer, LiveLine& live);

}  // namespace gpcv::command
