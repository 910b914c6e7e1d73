#include "gpcv/prediction_table.hpp"

#include <fmt/format.h>

#include <limits>

#include "prediction/components.hpp"
#include "prediction/row_mixture.hpp"

namespace gpcv {

PredictionTable::PredictionTable(const Model& model, const Posterior& posterior, const PredictionColumns& columns)
    : model_(model), posterior_(posterior), options_(columns.options), components_(columns.components), names_{"mean"} {
  options_.expected_rows = rows_per_prediction_batch;
  if (!options_.mean_only) {
    names_ = {"mean", "std", "lower", "upper"};
    factor_ = columns.conformal ? conformal_factor(model.conformal, columns.interval)
                                : interval_factor(columns.interval, model.error_scale.degrees);
    for (const double q : columns.quantiles) {
      quantile_factors_.push_back(quantile_factor(q, model.error_scale.degrees));
      names_.push_back(fmt::format("q{:g}", q));
    }
  }
  if (columns.conformal) options_.variance = VarianceMethod::parse(model.conformal.method);
  // The method is resolved once for all batches.
  if (!options_.mean_only)
    options_.variance = posterior.resolved(options_.variance, options_.expected_rows, options_.latent);
  if (!components_) return;
  // Summands belong to the transformed target, which the names of their columns say.
  const std::string of_what = model.transform.is_none() ? "" : fmt::format("{}.", name_of(model.transform.kind));
  names_.push_back(of_what + "offset");
  for (const NamedKernel& part : named_summands(model)) {
    names_.push_back(of_what + part.name + ".mean");
    if (!options_.mean_only) names_.push_back(of_what + part.name + ".std");
  }
}

Index PredictionTable::rows_at_once() const {
  return options_.mean_only ? rows_per_prediction_batch : options_.variance.rows_at_once();
}

Matrix PredictionTable::predict(const RowBatch& rows) const {
  const RowMixture mixture(model_.columns, rows.x, rows.noise);
  const PredictOptions& options = options_;
  const Prediction prediction = mixture.predict(posterior_, options);
  Matrix table(rows.x.rows(), static_cast<Index>(names_.size()));
  Index at = 0;
  table.col(at++) = prediction.mean;
  if (!options.mean_only) {
    table.col(1) = prediction.variance.cwiseSqrt();
    table.col(2) = prediction.at(-factor_);
    table.col(3) = prediction.at(factor_);
    at = 4;
    for (const double z : quantile_factors_) table.col(at++) = prediction.at(z);
  }
  if (!components_) return table;
  // A row without a prediction has no offset either.
  table.col(at) = (prediction.mean.array() * 0).matrix();
  table.col(at++).array() += model_.scaling.y_mean;
  if (mixture.points().rows() == 0) {
    table.rightCols(table.cols() - at).setConstant(std::numeric_limits<double>::quiet_NaN());
    return table;
  }
  for (const Component& part : posterior_.components(mixture.points(), options.mean_only)) {
    const Prediction of_rows = mixture.of_rows(part.prediction);
    table.col(at++) = of_rows.mean;
    if (!options.mean_only) table.col(at++) = of_rows.variance.cwiseSqrt();
  }
  return table;
}

}  // namespace gpcv
