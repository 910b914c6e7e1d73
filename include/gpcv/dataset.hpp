/// Data sets: inputs and target read from a table, and their standardisation.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Whether the first line of a table names its columns; `automatic` examines the line.
enum class Header { automatic, yes, no };

/// Treatment of a row with a missing cell (empty, NA, NaN, null, …) in a column that is read: it is an error, the row
/// is left out, or the row is kept and the cell is NaN.
enum class Missing { error, drop, keep };

/// Decimal mark of the numbers of a table; `automatic` examines whole columns. A comma that is no decimal mark groups
/// digits: 1,560 is one thousand with `point`, and one and a half with `comma`.
enum class Decimal { automatic, point, comma };

/// Treatment of a level that a categorical column did not have in training: it is an error, or the row has no level,
/// and its prediction is the average over the levels of the training.
enum class Unseen { error, average };

/// Positions of the columns of a Dataset in its table; a model stores them to find the columns in other tables.
struct Columns {
  std::vector<std::string> features;     ///< names of the inputs; "c0", "c1", … when the table has no header
  std::vector<Index> feature_indices;    ///< positions of the inputs in the table
  std::string target;                    ///< name of the target; empty when there is none
  Index target_index = -1;               ///< position of the target; -1 when there is none
  Index table_columns = 0;               ///< number of columns of the table
  bool has_header = false;               ///< whether the table names its columns
  std::vector<std::string> levels = {};  ///< level of each indicator, "" for a numeric input; may be empty
  std::string noise = {};                ///< name of the column with the noise of each row; empty when there is none
  Index noise_index = -1;                ///< position of that column; -1 when there is none
  bool noise_is_weight = false;          ///< the column holds w with noise variance ∝ 1/w, not a standard deviation
  /// Inputs, ascending, that are decimal years and were dates in the table; nothing when that is not known. Other
  /// tables must then have dates or decimal years in these columns, and no dates in the others.
  std::optional<std::vector<Index>> dates = {};
  std::string id = {};  ///< name of the column that identifies the rows, which is no input; empty when there is none
  /// Decimal mark of the table's numbers, with which another table is read that permits both; `automatic` when the
  /// table had none, or different ones.
  Decimal decimal = Decimal::automatic;
  /// Whether the target is a decimal year and was a date in the table; nothing when that is not known.
  std::optional<bool> target_is_date = {};
  /// Texts that meant a missing cell in the table, beside the usual ones.
  std::vector<std::string> missing_texts = {};
};

/// Remark on how a table was read: an assumption about its text that the user should know.
struct ReadingNote {
  std::string code;  ///< kind of the remark in one word, for scripts: "numbers"
  std::string text;  ///< description in one line
};

/// Facts about the cells of a table that were not plain numbers.
struct GPCV_EXPORT Reading {
  std::vector<Index> dates = {};                            ///< inputs that were ISO dates
  std::vector<Index> dropped = {};                          ///< rows of the table that were left out, from 0, ascending
  std::vector<std::pair<std::string, Index>> missing = {};  ///< columns with missing cells and their number
  std::string first_missing = {};                           ///< message that Missing::error would produce
  std::vector<ReadingNote> notes = {};                      ///< assumptions about numbers, dates and encoding
  Decimal decimal = Decimal::automatic;                     ///< decimal mark of the numbers, as in Columns
  bool target_is_date = false;                              ///< the target was ISO dates

  /// Row of the table, from 0 and without the header, that became row i of the data.
  Index table_row(Index i) const;
};

/// Data set in the user's units: inputs, target and other columns of the rows.
struct GPCV_EXPORT Dataset {
  Matrix x;                        ///< inputs, n × d
  Vector y;                        ///< target, n values; empty when no target was requested
  Columns columns;                 ///< positions of the columns in the table
  Vector time = {};                ///< column that orders the rows, n values; empty when none was requested
  Reading reading = {};            ///< facts about the cells
  std::vector<Index> labels = {};  ///< n labels in order of appearance, -1 for an empty cell; empty when not requested
  Vector noise = {};               ///< n standard deviations of the noise, in the target's units; may be empty
  std::vector<std::string> ids = {};  ///< n texts of the column that identifies the rows; empty when not requested
  Vector trust = {};                  ///< n weights in (0, 1] that a robust training gives the rows; empty for 1
  bool noise_is_learned = false;      ///< the noise is no column of the table, but was learned from held-out errors

  /// Number n of rows.
  Index rows() const { return x.rows(); }
  /// Number d of inputs.
  Index inputs() const { return x.cols(); }
  /// Data set of some of the rows, in the order given.
  Dataset rows_at(const std::vector<Index>& rows) const;
};

/// Options of reading a table: its columns and their meaning.
struct ReadOptions {
  std::string target;                 ///< name or 0-based index, negative from the end; empty for no target
  std::vector<std::string> features;  ///< names or indices of the inputs; empty for all columns but the target
  Header header = Header::automatic;  ///< whether the first line names the columns
  std::string time = {};              ///< name or index of the column that orders the rows for folds; empty for none
  Missing missing = Missing::error;   ///< treatment of missing cells
  std::function<void(Index rows)> progress = {};  ///< called occasionally while a table is read
  std::string labels = {};       ///< column of labels for folds, text or numbers; not a feature unless named as one
  bool every_label = false;      ///< an empty label is a missing cell; otherwise it is the label -1
  std::string noise = {};        ///< column of the standard deviation or weight of each row's noise; not a feature
  bool noise_is_weight = false;  ///< the column holds weights, not standard deviations
  std::vector<std::string> categorical = {};     ///< features whose text becomes indicators, one per level
  std::vector<std::string> missing_texts = {};   ///< further texts that mean a missing cell, such as "-999"
  Decimal decimal = Decimal::automatic;          ///< decimal mark of the numbers
  std::string id = {};                           ///< column that identifies the rows, never a feature; empty for none
  bool keep_ids = false;                         ///< whether the texts of that column are read, as Dataset::ids
  std::vector<std::filesystem::path> more = {};  ///< further files of the same table, with the same columns
};

/// Options of reading a table for a model.
struct LikeOptions {
  bool with_target = false;                      ///< whether the target is read
  Header header = Header::automatic;             ///< whether the first line names the columns
  Missing missing = Missing::error;              ///< treatment of missing cells
  std::vector<std::string> missing_texts = {};   ///< further texts of missing cells; empty for those of training
  Decimal decimal = Decimal::automatic;          ///< decimal mark of the numbers
  Unseen unseen = Unseen::error;                 ///< treatment of levels that training has not seen
  std::vector<std::string> keep = {};            ///< columns whose text is passed on in RowBatch::kept
  std::vector<std::filesystem::path> more = {};  ///< further files of the same table, with the same columns
};

/// Reads a CSV or TSV table (RFC 4180, optionally compressed by gzip or zstd; "-" is the standard input). ISO dates
/// become decimal years. Texts in Latin-1 and UTF-16 are converted to UTF-8. Every error message names file:line:column
/// and the text found there.
GPCV_EXPORT Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options);

/// Reads the columns that a model was trained on: by name when both tables have a header, otherwise by position.
GPCV_EXPORT Dataset read_dataset_like(const std::filesystem::path& path, const Columns& trained, bool with_target,
                                      Header header = Header::automatic);
/// Reads the columns that a model was trained on, with options.
GPCV_EXPORT Dataset read_dataset_like(const std::filesystem::path& path, const Columns& trained,
                                      const LikeOptions& options);

/// Throws InputError unless a model can be trained on the data: at least 3 rows, finite values, a target that varies.
GPCV_EXPORT void require_trainable(const Dataset& data);

/// Standardisation x' = (x − x_mean) / x_scale per column, y' = (y − y_mean) / y_scale.
/// With one input column x_scale is 1, so that a period given by the user keeps its unit.
struct GPCV_EXPORT Standardization {
  Vector x_mean;       ///< mean of each input column
  Vector x_scale;      ///< scale of each input column
  double y_mean = 0;   ///< mean of the target
  double y_scale = 1;  ///< scale of the target

  /// Standardisation by mean and standard deviation of the data.
  static Standardization fit(ConstView x, ConstVectorView y);
  /// Standardisation of d columns that changes nothing.
  static Standardization identity(Index d);

  /// Standardised inputs.
  Matrix inputs(ConstView x) const;
  /// Standardised target.
  Vector target(ConstVectorView y) const;
  /// Means converted back to the target's units.
  Vector mean(ConstVectorView standardized) const;
  /// Variances converted back to the target's units.
  Vector variance(ConstVectorView standardized) const;
};

}  // namespace gpcv
