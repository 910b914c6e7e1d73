#include "report/prediction_table.hpp"

#include <fmt/format.h>

#include "prediction/components.hpp"
#include "report/quantity.hpp"

namespace gpcv {
namespace {

/// The columns of one batch: mean, std and interval, then the summands.
struct Layout {
  std::vector<std::string> names;
  double factor = 0;
};

Layout layout_of(const Model& model, const PredictionColumns& columns) {
  Layout layout{{"mean"}, 0};
  if (!columns.options.mean_only) {
    layout.names = {"mean", "std", "lower", "upper"};
    layout.factor =
        columns.conformal ? conformal_factor(model.conformal, columns.interval) : interval_factor(columns.interval);
  }
  if (!columns.components) return layout;
  layout.names.emplace_back("offset");
  for (const NamedKernel& part : named_summands(model)) {
    layout.names.push_back(part.name + ".mean");
    if (!columns.options.mean_only) layout.names.push_back(part.name + ".std");
  }
  return layout;
}

}  // namespace

Index write_predictions(const Model& model, const Posterior& posterior, const NextRows& next,
                        const PredictionColumns& columns, CsvWriter& writer, LiveLine& live) {
  const bool mean_only = columns.options.mean_only;
  PredictOptions options = columns.options;
  options.expected_rows = rows_per_prediction_batch;
  options.variance = posterior.resolved(options.variance, options.expected_rows);  // once for all batches
  if (columns.conformal) {
    conformal_factor(model.conformal, columns.interval);  // refused before anything is read
    options.variance = VarianceMethod::parse(model.conformal.method);
  }
  Matrix table;
  RowBatch batch;
  Layout layout;
  Index written = 0;
  while (next(rows_per_prediction_batch, batch) > 0) {
    if (columns.stop && columns.stop()) return -1;
    if (written == 0) {
      layout = layout_of(model, columns);
      writer.header(layout.names);  // nothing is written for a table that cannot be read
    }
    options.noise = batch.noise;
    const Prediction prediction = posterior.predict(batch.x, options);
    table.resize(batch.x.rows(), static_cast<Index>(layout.names.size()));
    Index at = 0;
    table.col(at++) = prediction.mean;
    if (!mean_only) {
      // mean ± z·std
      table.col(1) = prediction.variance.cwiseSqrt();
      table.col(2) = prediction.mean - layout.factor * table.col(1);
      table.col(3) = prediction.mean + layout.factor * table.col(1);
      at = 4;
    }
    if (columns.components) {
      table.col(at++).setConstant(model.scaling.y_mean);
      for (const Component& part : posterior.components(batch.x, mean_only)) {
        table.col(at++) = part.prediction.mean;
        if (!mean_only) table.col(at++) = part.prediction.variance.cwiseSqrt();
      }
    }
    writer.rows(table);
    written += batch.x.rows();
    live.show(fmt::format("{} rows predicted", grouped(written)));
  }
  writer.finish();
  live.clear();
  return written;
}

}  // namespace gpcv
