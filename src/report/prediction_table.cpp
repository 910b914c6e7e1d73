#include "report/prediction_table.hpp"

#include <fmt/format.h>

#include "report/quantity.hpp"

namespace gpcv {
Index write_predictions(const Posterior& posterior, RowStream& rows, const PredictionColumns& columns,
                        CsvWriter& writer, LiveLine& live) {
  const bool mean_only = columns.options.mean_only;
  PredictOptions options = columns.options;
  options.expected_rows = rows_per_prediction_batch;
  const double factor = mean_only ? 0 : interval_factor(columns.interval);
  const auto names =
      mean_only ? std::vector<std::string>{"mean"} : std::vector<std::string>{"mean", "std", "lower", "upper"};
  Matrix x, table;
  Vector y;
  while (rows.next(rows_per_prediction_batch, x, y) > 0) {
    if (columns.stop && columns.stop()) return -1;
    if (rows.rows_read() == x.rows()) writer.header(names);  // nothing is written for a table that cannot be read
    const Prediction prediction = posterior.predict(x, options);
    table.resize(x.rows(), mean_only ? 1 : 4);
    table.col(0) = prediction.mean;
    if (!mean_only) {
      // mean ± z·std
      table.col(1) = prediction.variance.cwiseSqrt();
      table.col(2) = prediction.mean - factor * table.col(1);
      table.col(3) = prediction.mean + factor * table.col(1);
    }
    writer.rows(table);
    live.show(fmt::format("{} rows predicted", grouped(rows.rows_read())));
  }
  writer.finish();
  live.clear();
  return rows.rows_read();
}

}  // namespace gpcv
