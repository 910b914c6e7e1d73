/// Tables of predictions, computed in batches of test rows.
#pragma once

#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/row_stream.hpp"

namespace gpcv {

/// Number of test rows in a batch of rows that share no work.
constexpr Index rows_per_prediction_batch = 8192;

/// Columns of a table of predictions.
struct PredictionColumns {
  PredictOptions options;              ///< options of the prediction
  double interval = 0.95;              ///< probability of the interval lower..upper
  std::vector<double> quantiles = {};  ///< probabilities of quantiles, each a column such as q0.05
  bool conformal = false;              ///< conformal intervals, from the calibration set
  bool components = false;             ///< mean and std of each summand of the kernel as well
};

/// Table of predictions with the columns mean, std, lower, upper (or mean alone), then on request quantiles, offset and
/// the summands of the kernel; those of a transformed target have names such as log.offset. Model and posterior must
/// outlive it.
///
///     const PredictionTable table(model, posterior, {});
///     RowStream stream("new.csv", model.columns, false);
///     RowBatch rows;
///     while (stream.next(table.rows_at_once(), rows) > 0) writer.rows(table.predict(rows));
class GPCV_EXPORT PredictionTable {
 public:
  /// Table with these columns. Throws InputError when the calibration set is too small for conformal intervals.
  PredictionTable(const Model& model, const Posterior& posterior, const PredictionColumns& columns);

  /// Names of the columns.
  const std::vector<std::string>& names() const { return names_; }
  /// Rows that a batch should have.
  Index rows_at_once() const;
  /// Predictions of a batch: one row of values per row of the batch, one column per name.
  Matrix predict(const RowBatch& rows) const;

 private:
  const Model& model_;
  const Posterior& posterior_;
  PredictOptions options_;
  bool components_;
  double factor_ = 0;                     ///< half width of the interval in standard deviations
  std::vector<double> quantile_factors_;  ///< quantiles in standard deviations
  std::vector<std::string> names_;
};

}  // namespace gpcv
