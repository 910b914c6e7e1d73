/// Inputs, target, times, noise and labels of a table, read in batches of rows.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/tables/number_column.hpp"
#include "data/tables/table.hpp"
#include "gpcv/row_stream.hpp"

namespace gpcv {

/// A reader holds one chunk of the file, so that a table of any size is read in bounded memory.
class RowReader {
 public:
  /// A reader of the columns that read_dataset reads.
  RowReader(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader = {});
  /// A reader of the columns that read_targets reads.
  RowReader(const std::filesystem::path& path, const ReadOptions& options, const std::vector<std::string>& targets,
            const csv::ReaderOptions& reader = {});
  /// A reader of the columns that read_dataset_like reads.
  RowReader(const std::filesystem::path& path, const Columns& trained, bool with_target,
            Header header = Header::automatic, const csv::ReaderOptions& reader = {});
  RowReader(const std::filesystem::path& path, const Columns& trained, const LikeOptions& options,
            const csv::ReaderOptions& reader = {});
  /// A reader of the inputs and the targets of several models that have the same inputs.
  RowReader(const std::filesystem::path& path, const std::vector<Columns>& trained, const LikeOptions& options,
            const csv::ReaderOptions& reader = {});

  const Columns& columns() const { return columns_; }
  /// The names of the columns whose text is passed on.
  const std::vector<std::string>& kept_names() const { return kept_names_; }
  /// The positions of the targets in the table.
  const std::vector<Index>& targets() const { return target_positions_; }
  /// The names of these columns.
  std::vector<std::string> target_names() const;
  /// The number of rows returned so far.
  Index rows_read() const { return rows_read_; }
  /// Missing cells, dropped rows and columns of dates so far.
  Reading reading() const;
  /// The same without the missing cells of other targets. Rows that are left out for this target alone are not among
  /// the dropped ones.
  Reading reading_of_target(std::size_t target) const;

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

  /// A reader of a table with several targets, or with that of the options.
  RowReader(csv::Table table, const ReadOptions& options, const std::vector<std::string>* targets);

  void set_rules(Missing missing, const std::vector<std::string>& missing_texts, Decimal decimal);
  void watch_columns(const std::vector<Columns>& trained);
  void begin_again();
  Index fill(Index most, RowBatch& batch);
  bool read_row(const csv::Row& row, Index at, RowBatch& batch);
  /// Sets the indicators of the category that begins with input `first`. Returns the input after them.
  std::size_t read_category(const csv::Row& row, Index at, std::size_t first, Matrix& x);
  bool read_features(const csv::Row& row, Index at, Matrix& x);
  /// Reads the target or the targets of a row; false when none has a value.
  bool read_targets(const csv::Row& row, Index at, RowBatch& batch);
  /// The number of the label; -1 for an empty cell.
  Index label_of(const csv::Row& row);
  /// False when the label is missing and the row is to be left out. Throws InputError when missing labels are errors.
  bool has_label(const csv::Row& row);
  void leave_out(Index kept_before);
  /// The number columns of features, target, time and noise.
  std::vector<csv::NumberColumn*> watched();
  std::vector<const csv::NumberColumn*> watched() const;
  std::vector<ReadingNote> notes() const;
  void look_for_points(const RowBatch& batch);
  Decimal decimal() const;
  Reading reading_without(const std::vector<const csv::NumberColumn*>& others) const;

  csv::Table table_;
  std::vector<Index> target_positions_;
  Columns columns_;
  std::shared_ptr<csv::CellRules> rules_ = std::make_shared<csv::CellRules>();
  std::vector<Feature> features_;
  std::vector<csv::NumberColumn> targets_;
  std::optional<csv::NumberColumn> time_, noise_;
  bool shows_decimal_ = false;  ///< the decimal mark is wanted
  bool points_ = false;         ///< some number has a decimal point and no other mark
  Index label_position_ = -1;
  bool every_label_ = false;
  Unseen unseen_ = Unseen::error;
  std::unordered_map<Index, Index> unseen_cells_;  ///< number of levels that training has not seen, by position
  std::vector<Index> kept_;
  std::vector<std::string> kept_names_;
  Index labels_missing_ = 0;
  std::unordered_map<std::string, Index> labels_;
  Index rows_read_ = 0;
  std::vector<Index> dropped_;
  std::string first_missing_;
};

}  // namespace gpcv
