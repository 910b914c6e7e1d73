/// Predictions as a table, a batch of test rows at a time.
#pragma once

#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/row_stream.hpp"

namespace gpcv {

/// Number of test rows that are predicted at a time.
constexpr Index rows_per_prediction_batch = 8192;

/// Which columns a table of predictions has.
struct PredictionColumns {
  PredictOptions options;
  double interval = 0.95;   ///< probability of the interval lower..upper
  bool conformal = false;   ///< the width of the interval comes from rows that were set aside
  bool components = false;  ///< mean and std of each summand of the kernel as well
};

/// Predicts batches of rows as columns mean, std, lower, upper (or mean alone), then offset and the summands of the
/// kernel where they are asked for. Model and posterior must outlive it.
///
///     const PredictionTable table(model, posterior, {});
///     RowStream stream("new.csv", model.columns, false);
///     RowBatch rows;
///     while (stream.next(rows_per_prediction_batch, rows) > 0) writer.rows(table.predict(rows));
class GPCV_EXPORT PredictionTable {
 public:
  /// Throws InputError where conformal intervals are asked for and too few rows were set aside.
  PredictionTable(const Model& model, const Posterior& posterior, const PredictionColumns& columns);

  const std::vector<std::string>& names() const { return names_; }
  /// One row of values, named by names(), per row of the batch.
  Matrix predict(const RowBatch& rows) const;

 private:
  const Model& model_;
  const Posterior& posterior_;
  PredictOptions options_;
  bool components_;
  double factor_ = 0;  ///< half width of the interval in standard deviations
  std::vector<std::string> names_;
};

}  // namespace gpcv
