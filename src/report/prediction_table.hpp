/// Predictions as a table, a batch of test rows at a time.
#pragma once

#include <functional>

#include "data/tables/csv_writer.hpp"
#include "data/tables/row_stream.hpp"
#include "gpcv/posterior.hpp"
#include "report/live_line.hpp"

namespace gpcv {

/// Test rows predicted at a time.
constexpr Index rows_per_prediction_batch = 8192;

/// Fills the batch with at most so many rows and returns how many; 0 at the end.
using NextRows = std::function<Index(Index most, RowBatch& batch)>;

struct PredictionColumns {
  PredictOptions options;
  double interval = 0.95;
  bool conformal = false;      ///< the interval's width from rows that were set aside
  bool components = false;     ///< mean and std of each summand of the kernel as well
  std::function<bool()> stop;  ///< asked between batches; true ends the work
};

/// Writes mean,std,lower,upper (or mean alone), and the summands when asked for, of every row that comes; returns
/// the number of rows, or -1 when it was stopped.
Index write_predictions(const Model& model, const Posterior& posterior, const NextRows& next,
                        const PredictionColumns& columns, CsvWriter& writer, LiveLine& live);

}  // namespace gpcv
