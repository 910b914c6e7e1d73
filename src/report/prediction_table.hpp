/// Predictions as a table, a batch of test rows at a time.
#pragma once

#include "data/csv_writer.hpp"
#include "data/row_stream.hpp"
#include "gpcv/posterior.hpp"
#include "report/live_line.hpp"

namespace gpcv {

struct PredictionColumns {
  PredictOptions options;
  double interval = 0.95;
};

/// Writes mean,std,lower,upper (or mean alone) for every row of the stream; returns the number of rows.
Index write_predictions(const Posterior& posterior, RowStream& rows, const PredictionColumns& columns,
                        CsvWriter& writer, LiveLine& live);

}  // namespace gpcv
