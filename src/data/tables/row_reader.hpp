/// Inputs, target and what else a table says of its rows, a batch of rows at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/tables/number_column.hpp"
#include "data/tables/table.hpp"
#include "gpcv/row_stream.hpp"

namespace gpcv {

/// Holds one chunk of the file, so a table of any size is read in bounded memory.
class RowReader {
 public:
  /// The columns that read_dataset would read.
  RowReader(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader = {});
  /// The columns that read_dataset_like would read.
  RowReader(const std::filesystem::path& path, const Columns& trained, bool with_target,
            Header header = Header::automatic, const csv::ReaderOptions& reader = {});

  const Columns& columns() const { return columns_; }
  /// Rows handed out so far.
  Index rows_read() const { return rows_read_; }
  /// What was met so far besides numbers.
  Reading reading() const;

  /// Fills the batch with the next rows, at most `most` and fewer where they are very wide. Returns how many; 0 at the
  /// end. Throws InputError at the first cell that is not what its column holds.
  Index next(Index most, RowBatch& batch);
  /// Inputs and target alone.
  Index next(Index most, Matrix& x, Vector& y);

 private:
  /// An input: a number, or 1 where the cell says `level`.
  struct Feature {
    csv::NumberColumn number;
    std::string level;
  };

  void watch_columns(Missing missing);
  bool read_features(const csv::Row& row, Index at, Matrix& x);
  /// The label's number; -1 for an empty cell.
  Index label_of(const csv::Row& row);
  /// False when the label is missing: the row is to be left out. Throws InputError when that is not wanted.
  bool has_label(const csv::Row& row);
  void leave_out(Index kept_before);
  /// Features, target, time, noise.
  std::vector<const csv::NumberColumn*> watched() const;

  csv::Table table_;
  Columns columns_;
  std::vector<Feature> features_;
  std::optional<csv::NumberColumn> target_, time_, noise_;
  Index label_position_ = -1;
  bool every_label_ = false;
  Missing missing_labels_ = Missing::error;
  Index labels_missing_ = 0;
  std::unordered_map<std::string, Index> labels_;
  Index rows_read_ = 0;
  std::vector<Index> dropped_;
  std::string first_missing_;
};

}  // namespace gpcv
