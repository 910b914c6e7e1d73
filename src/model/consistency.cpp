#include "model/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpcv/error.hpp"
#include "model/design.hpp"

namespace gpcv {
namespace {

/// Number of input columns, without the column that is added for rows with their own noise.
Index inputs_of(const Model& model) { return model.x.cols() - (model.noise_reference > 0 ? 1 : 0); }

void require_consistent_training(const Model& model) {
  const Index n = model.x.rows(), d = inputs_of(model);
  const Standardization& scaling = model.scaling;
  require(n > 0 && d > 0, "there are no training inputs");
  require(model.y.size() == n, fmt::format("there are {} training targets for {} rows", model.y.size(), n));
  require(model.weights.size() == n, fmt::format("there are {} weights for {} rows", model.weights.size(), n));
  require(model.x.allFinite() && model.y.allFinite(), "the training data are not all finite");
  require(model.weights.allFinite(), "the weights are not all finite");

  require(scaling.x_mean.size() == d && scaling.x_scale.size() == d,
          fmt::format("the scaling does not fit {} input columns", d));
  require(scaling.x_mean.allFinite() && std::isfinite(scaling.y_mean), "the scaling's means are not all finite");
  require(scaling.x_scale.allFinite() && scaling.x_scale.minCoeff() > 0, "the scales are not all positive");
  require(std::isfinite(scaling.y_scale) && scaling.y_scale > 0, "the target's scale is not positive");
  require(std::isfinite(model.noise) && model.noise >= 0, "the noise variance is negative or not finite");
  require(model.noise_reference >= 0 && std::isfinite(model.noise_reference), "the rows' noise has no reference");
}

void require_consistent_calibration(const Model& model) {
  const PredictiveScale& scale = model.error_scale;
  require(std::isfinite(scale.factor) && scale.factor > 0, "the factor of the variances is not positive");
  require(scale.added >= 0 && std::isfinite(scale.added), "the added noise is negative or not finite");
  require(scale.degrees > 2 && scale.observed_degrees >= scale.degrees,
          "the degrees of freedom of the errors do not exceed 2");
  require(scale.usual > 0 && scale.largest >= scale.usual, "the variances of held-out rows are not positive");
  require(std::isfinite(scale.rare) && scale.rare > 0, "the factor of large variances is not positive");
  const Vector& scores = model.conformal.scores;
  require(scores.allFinite() && std::is_sorted(scores.begin(), scores.end()) && (scores.array() >= 0).all(),
          "the conformal scores are not finite, positive and ascending");
}

void require_consistent_noise(const Model& model) {
  const NoiseProcess& noise = model.noise_process;
  if (noise.is_constant()) return;
  require(noise.points.rows() == noise.weights.size() && noise.points.cols() == model.scaling.x_mean.size(),
          "the points of the learned noise do not fit its weights and the inputs");
  require(noise.points.allFinite() && noise.weights.allFinite() && std::isfinite(noise.constant),
          "the learned noise is not finite");
  require(model.noise_reference > 0, "the learned noise has no reference");
}

void require_consistent_transform(const TargetTransform& t) {
  require(std::isfinite(t.offset) && std::isfinite(t.lower) && std::isfinite(t.upper) && std::isfinite(t.centre),
          "the transform of the target is not finite");
  require(t.lower < t.upper && t.lambda >= 0 && t.lambda <= 2 && std::isfinite(t.scale) && t.scale > 0,
          "the transform of the target is not increasing");
}

void require_consistent_columns(const Columns& columns, Index d) {
  const auto names = static_cast<std::size_t>(d);
  const auto is_place = [](Index i) { return i >= 0; };
  require(columns.levels.empty() || columns.levels.size() == names, "there is not one level per input column");
  require(columns.features.size() == names && columns.feature_indices.size() == names,
          fmt::format("there are {} column names and {} column positions for {} input columns", columns.features.size(),
                      columns.feature_indices.size(), d));
  require(std::all_of(columns.feature_indices.begin(), columns.feature_indices.end(), is_place) &&
              columns.target_index >= -1 && columns.noise_index >= -1 && columns.table_columns >= 0,
          "a column position is negative");
  // Data created in memory belong to no table.
  const auto is_inside = [&](Index i) { return columns.table_columns == 0 || i < columns.table_columns; };
  require(std::all_of(columns.feature_indices.begin(), columns.feature_indices.end(), is_inside) &&
              is_inside(columns.target_index) && is_inside(columns.noise_index),
          "a column position lies outside the table");
  const std::vector<Index> dates = columns.dates.value_or(std::vector<Index>{});
  require(std::is_sorted(dates.begin(), dates.end()) && (dates.empty() || (dates.front() >= 0 && dates.back() < d)),
          "a date is no input column");
}

void require_consistent_provenance(const Provenance& provenance, Index n) {
  const HeldOut& held = provenance.held_out;
  require(held.mean.size() == held.variance.size() && (held.empty() || held.mean.size() == n),
          fmt::format("there are {} held-out means and {} variances for {} rows", held.mean.size(),
                      held.variance.size(), n));
  const std::vector<Index>& fold = provenance.fold_of_row;
  require(fold.empty() || (static_cast<Index>(fold.size()) == n && *std::min_element(fold.begin(), fold.end()) >= -1),
          fmt::format("the {} folds of the rows do not fit {} rows", fold.size(), n));
  const Importance& importance = provenance.importance;
  require(importance.rows >= 0 && importance.rmse >= 0, "the importance of inputs is of no rows");
  for (const InputImportance& input : importance.inputs) {
    require(std::isfinite(input.increase), "the importance of an input is not finite");
  }
  const Vector& weights = provenance.trust.weights;
  require(weights.size() == 0 || (weights.size() == n && (weights.array() > 0).all() && (weights.array() <= 1).all()),
          "the weights of the rows do not lie between 0 and 1");
  require(provenance.iterations >= 0, "the number of iterations is negative");
  require(provenance.trace.rows() == 0 || provenance.trace.cols() == static_cast<Index>(provenance.trace_names.size()),
          "the trace does not have one name per column");
}

}  // namespace

void require(bool holds, std::string_view otherwise) {
  if (!holds) throw InputError(std::string(otherwise));
}

void require_consistent(const Model& model) {
  require_consistent_training(model);
  require_consistent_calibration(model);
  require_consistent_noise(model);
  require_consistent_transform(model.transform);
  require_consistent_columns(model.columns, inputs_of(model));
  require_consistent_provenance(model.provenance, model.x.rows());
}

void require_consistent_kernel(const Model& model) {
  const std::size_t added =
      mean_parameters(model.mean, model.scaling.x_mean.size()) + (model.noise_reference > 0 ? 1 : 0);
  require(model.kernel.summands().size() > mean_summands(model.mean) && model.kernel.parameters().size() > added,
          fmt::format("its kernel has no part for the {} mean and the rows' noise", name_of(model.mean)));
}

void require_consistent_optima(const Model& model) {
  const auto free = static_cast<Index>(model.kernel.free_parameters().size());
  for (const Optimum& o : model.provenance.optima) {
    const Index p = o.log_theta.size();
    require(!o.reached() || p == free || p == free + 1,
            fmt::format("an optimum has {} values for {} free parameters", p, free));
  }
}

}  // namespace gpcv
