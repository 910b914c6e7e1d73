/// Streams of rows: inputs, target and other columns of a table, read in batches.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

class RowReader;

/// Batch of rows of a table. Columns that were not requested are empty.
struct RowBatch {
  Matrix x;                                         ///< inputs, rows × d
  Vector y;                                         ///< target of each row
  Vector time;                                      ///< time of each row
  Vector noise;                                     ///< noise standard deviation of each row
  std::vector<Index> labels;                        ///< label of each row
  std::vector<std::vector<std::string>> kept = {};  ///< texts of the columns to pass on, one list per row
  Matrix targets = {};  ///< targets of each row, rows × targets, where there are several; `y` is then empty
};

/// Stream that reads a table of any size in bounded memory; it holds one chunk of the file.
///
///     RowStream stream(path, model.columns, false);
///     RowBatch rows;
///     while (stream.next(10'000, rows) > 0) predict(rows.x);
class GPCV_EXPORT RowStream {
 public:
  /// Opens the columns that read_dataset() would read.
  RowStream(const std::filesystem::path& path, const ReadOptions& options);
  /// Opens the columns that read_dataset_like() would read.
  RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target,
            Header header = Header::automatic);
  /// Opens the columns that read_dataset_like() would read, with options.
  RowStream(const std::filesystem::path& path, const Columns& trained, const LikeOptions& options);
  ~RowStream();
  /// Moves a stream.
  RowStream(RowStream&&) noexcept;

  /// Positions of the columns in the table.
  const Columns& columns() const;
  /// Names of the columns in RowBatch::kept: the model's column of identifiers where the table has it, then those that
  /// the options name.
  const std::vector<std::string>& kept_names() const;
  /// Missing cells, dates and assumptions of the rows that were read so far.
  Reading reading() const;

  /// Fills the batch with the next rows, at most `most` and fewer for very wide tables. Returns their number; 0 at the
  /// end. Throws InputError at the first cell that is invalid for its column.
  Index next(Index most, RowBatch& batch);

 private:
  std::unique_ptr<RowReader> reader_;
};

}  // namespace gpcv
