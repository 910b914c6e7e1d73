/// Inputs and target of a table, a batch of rows at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "data/number_column.hpp"
#include "data/table.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv {

/// Holds one chunk of the file, so a table of any size is read in bounded memory.
///
///     RowStream stream(path, model.columns, false);
///     Matrix x;
///     Vector y;
///     while (stream.next(10'000, x, y) > 0) predict(x);
class RowStream {
 public:
  /// The columns that read_dataset would read.
  RowStream(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader = {});
  /// The columns that read_dataset_like would read.
  RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target,
            Header header = Header::automatic, const csv::ReaderOptions& reader = {});

  const Columns& columns() const { return columns_; }
  /// Rows handed out so far.
  Index rows_read() const { return rows_read_; }

  /// Puts the next rows, at most `most` and fewer where they are very wide, in x (rows × d) and y (rows, or empty
  /// without a target).
  /// Returns how many; 0 at the end. Throws InputError at the first cell that is not a finite number or a date.
  Index next(Index most, Matrix& x, Vector& y);
  /// Also the time of each row, empty when none was asked for.
  Index next(Index most, Matrix& x, Vector& y, Vector& time);

 private:
  void watch_columns();

  csv::Table table_;
  Columns columns_;
  std::vector<csv::NumberColumn> features_;
  std::optional<csv::NumberColumn> target_, time_;
  Index rows_read_ = 0;
};

}  // namespace gpcv
