/// Tables on disk become inputs and a target; units are remembered and undone.
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

/// Whether the first line of a table names its columns; `automatic` looks at the line.
enum class Header { automatic, yes, no };

/// A row with an empty cell, or one that says "no value" (NA, NaN, null, …), in a column that is read: an error, or
/// left out.
enum class Missing { error, drop };

/// Where the columns of a Dataset stood in its table; stored in a model to find them again.
struct Columns {
  std::vector<std::string> features;   ///< names; "c0", "c1", … when the table has no header
  std::vector<Index> feature_indices;  ///< positions in the table
  std::string target;
  Index target_index = -1;  ///< -1: none
  Index table_columns = 0;
  bool has_header = false;
  std::vector<std::string> levels = {};  ///< of an indicator, the text it is 1 for; "" for a number. May be empty.
  std::string noise = {};                ///< column of the rows' own noise; empty: none
  Index noise_index = -1;
  bool noise_is_weight = false;  ///< the column holds w with noise variance ∝ 1/w, not a standard deviation
};

/// What reading met besides numbers.
struct GPCV_EXPORT Reading {
  std::vector<Index> dates = {};                            ///< inputs that are ISO dates
  std::vector<Index> dropped = {};                          ///< rows of the table that were left out, from 0, ascending
  std::vector<std::pair<std::string, Index>> missing = {};  ///< columns with missing cells, and how many
  std::string first_missing = {};                           ///< the message that Missing::error would give

  /// Row of the table, from 0 and without the header, that became row i of the data.
  Index table_row(Index i) const;
};

/// Inputs and target in the user's units, as read.
struct GPCV_EXPORT Dataset {
  Matrix x;  ///< n × d
  Vector y;  ///< n, or empty when no target was asked for
  Columns columns;
  Vector time = {};  ///< n, or empty when no column to order the rows by was asked for
  Reading reading = {};
  std::vector<Index> labels = {};  ///< n, numbered as they appear, -1 for an empty cell; or empty when not asked for
  Vector noise = {};               ///< n standard deviations of the rows' own noise, in the target's units; or empty

  Index rows() const { return x.rows(); }
  Index inputs() const { return x.cols(); }
  /// Some of the rows, in the order named.
  Dataset rows_at(const std::vector<Index>& rows) const;
};

/// Which columns of a table are read, and how.
struct ReadOptions {
  std::string target;                 ///< name or 0-based index, negative from the end; empty: no target
  std::vector<std::string> features;  ///< names or indices; empty: every column but the target
  Header header = Header::automatic;
  std::string time = {};  ///< orders the rows for folds: name or index, a feature or not; empty: none
  Missing missing = Missing::error;
  std::function<void(Index rows)> progress = {};  ///< called now and then while a table is read
  std::string labels = {};       ///< text or numbers that tell rows apart for folds; not a feature unless named as one
  bool every_label = false;      ///< an empty cell among them is a missing one; otherwise it is the label -1
  std::string noise = {};        ///< standard deviation of each row's noise, or its weight; not a feature
  bool noise_is_weight = false;  ///< the column holds weights, not standard deviations
  std::vector<std::string> categorical = {};  ///< features whose text becomes indicators, one per level
};

/// Reads CSV or TSV (RFC 4180, optionally gzip). ISO dates become decimal years.
/// Every error names file:line:column and the text found there.
GPCV_EXPORT Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options);

/// Reads the columns a model was trained on: by name when both tables have a header, else by position.
GPCV_EXPORT Dataset read_dataset_like(const std::filesystem::path& path, const Columns& trained, bool with_target,
                                      Header header = Header::automatic);

/// Throws InputError unless the data can train a model: at least 3 rows, finite, a target that varies.
GPCV_EXPORT void require_trainable(const Dataset& data);

/// x' = (x − x_mean) / x_scale per column, y' = (y − y_mean) / y_scale.
/// With one input column x_scale is 1, so that a typed period keeps its unit.
struct GPCV_EXPORT Standardization {
  Vector x_mean, x_scale;
  double y_mean = 0, y_scale = 1;

  static Standardization fit(ConstView x, ConstVectorView y);
  /// Leaves everything as it is (d columns).
  static Standardization identity(Index d);

  Matrix inputs(ConstView x) const;
  Vector target(ConstVectorView y) const;
  /// Back to the target's units.
  Vector mean(ConstVectorView standardized) const;
  Vector variance(ConstVectorView standardized) const;
};

}  // namespace gpcv
