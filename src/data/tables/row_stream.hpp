/// Inputs, target, times, noise and labels of a table, read in batches of rows.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/tables/number_column.hpp"
#include "data/tables/table.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv {

/// A batch of rows. Members that were not requested are empty.
struct RowBatch {
  Matrix x;                   ///< rows × d
  Vector y, time, noise;      ///< rows
  std::vector<Index> labels;  ///< rows
};

/// A stream holds one chunk of the file, so that a table of any size is read in bounded memory.
///
///     RowStream stream(path, model.columns, false);
///     RowBatch rows;
///     while (stream.next(10'000, rows) > 0) predict(rows.x);
class RowStream {
 public:
  /// A stream of the columns that read_dataset reads.
  RowStream(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader = {});
  /// A stream of the columns that read_dataset_like reads.
  RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target,
            Header header = Header::automatic, const csv::ReaderOptions& reader = {});

  const Columns& columns() const { return columns_; }
  /// The number of rows returned so far.
  Index rows_read() const { return rows_read_; }
  /// Missing cells, dropped rows and columns of dates so far.
  Reading reading() const;

  /// Fills the batch with the next rows: at most `most`, and fewer if they are very wide. Returns their number, 0 at
  /// the end. Throws InputError at the first cell that is not of its column's kind.
  Index next(Index most, RowBatch& batch);
  /// Reads inputs and target only.
  Index next(Index most, Matrix& x, Vector& y);

 private:
  /// An input: a number, or the indicator of a level.
  struct Feature {
    csv::NumberColumn number;
    std::string level;
  };

  void watch_columns(Missing missing);
  bool read_features(const csv::Row& row, Index at, Matrix& x);
  /// The number of the label; -1 for an empty cell.
  Index label_of(const csv::Row& row);
  /// False when the label is missing and the row is to be left out. Throws InputError when missing labels are errors.
  bool has_label(const csv::Row& row);
  void leave_out(Index kept_before);
  /// The number columns of features, target, time and noise.
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
