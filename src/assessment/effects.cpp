#include "gpcv/effects.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "data/columns/spread.hpp"
#include "gpcv/assessment.hpp"
#include "prediction/components.hpp"

namespace gpcv {
namespace {

/// Number of training rows on which relevance is measured, and numbers of points of a curve.
constexpr Index shown_rows = 500, several_inputs_points = 60, one_input_points = 1200;
/// Number of rows up to which bands of summands justify a factorisation.
constexpr Index factorised_rows = 5000;

double median(Vector values) {
  const Index half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  return values(half);
}

/// The median of each numeric input and the most frequent level of each category, a combination that may occur.
Vector middle(const std::vector<Input>& inputs, const Matrix& x) {
  Vector point(x.cols());
  for (const Input& input : inputs) {
    Index commonest = input.columns[0];
    for (const Index c : input.columns) {
      point(c) = input.levels.empty() ? median(x.col(c)) : 0;
      if (x.col(c).sum() > x.col(commonest).sum()) commonest = c;
    }
    if (!input.levels.empty()) point(commonest) = 1;
  }
  return point;
}

/// Points of a curve: the distinct values if there are few, otherwise an even grid.
Vector grid(const Vector& values, Index points) {
  Vector sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const Index distinct = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
  if (distinct <= 8) return sorted.head(distinct);
  return Vector::LinSpaced(points, sorted(0), sorted(distinct - 1));
}

/// Values of an input along which a curve is drawn: its levels, or points of a grid.
Vector values_along(const Input& input, const Matrix& x, Index points) {
  const auto levels = static_cast<Index>(input.levels.size());
  return levels > 0 ? Vector(Vector::LinSpaced(levels, 0, static_cast<double>(levels - 1)))
                    : grid(x.col(input.columns[0]), points);
}

/// Gives one input of a point its value along a curve.
void set_value(const Input& input, double value, Eigen::Ref<Matrix, 0, Eigen::OuterStride<>> point) {
  if (input.levels.empty()) {
    point(0, input.columns[0]) = value;
    return;
  }
  for (const Index c : input.columns) point(0, c) = c == input.columns[static_cast<std::size_t>(value)] ? 1 : 0;
}

}  // namespace

Matrix training_inputs(const Model& model) {
  const Standardization& scaling = model.scaling;
  const Matrix x = model.x.leftCols(scaling.x_mean.size());
  return (x * scaling.x_scale.asDiagonal()).rowwise() + scaling.x_mean.transpose();
}

std::vector<Relevance> relevance(const Model& model, const Posterior& posterior, Index most_rows) {
  const std::vector<Input> inputs = inputs_of(model);
  const Matrix all = training_inputs(model);
  const std::vector<Index> rows = thinned(all.rows(), std::min(shown_rows, most_rows));
  const Matrix x = all(rows, Eigen::all);
  // The median of a transformed target needs no variances.
  const auto centre = [&](const Matrix& at) {
    const Vector mean = posterior.predict(at, {.mean_only = true, .transformed = true}).mean;
    return model.transform.is_none() ? mean : model.transform.inverse(mean);
  };
  const Vector before = centre(x);
  Random random(1);
  const std::vector<std::int64_t> dealt = random.permutation(x.rows());
  std::vector<Relevance> found;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Matrix shuffled = x;
    for (const Index c : inputs[i].columns) shuffled.col(c) = x.col(c)(dealt);
    const Vector change = centre(shuffled) - before;
    Relevance r{i, std::sqrt(change.squaredNorm() / static_cast<double>(change.size())), std::nan("")};
    for (const Parameter& p : model.kernel.parameters()) {
      if (p.role != Role::length_scale || p.fixed || p.columns.size() != 1) continue;
      const std::vector<Index>& own = inputs[i].columns;
      if (std::find(own.begin(), own.end(), p.columns[0]) == own.end()) continue;
      const double inverse = spread(model.x.col(p.columns[0])).deviation / p.value;
      r.inverse_length = std::isnan(r.inverse_length) ? inverse : std::max(r.inverse_length, inverse);
    }
    found.push_back(r);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.moved > b.moved; });
  return found;
}

std::vector<Effect> effects(const Model& model, const Posterior& posterior, const std::vector<std::size_t>& inputs) {
  const std::vector<Input> all = inputs_of(model);
  const Matrix x = training_inputs(model);
  const Vector centre = middle(all, x);
  const Index points = all.size() == 1 ? std::clamp(3 * x.rows(), Index{200}, one_input_points) : several_inputs_points;
  std::vector<Effect> out;
  Index total = 0;
  for (const std::size_t i : inputs) {
    out.push_back({i, values_along(all[i], x, points), {}, {}});
    total += out.back().at.size();
  }
  // All curves share one prediction: one factorisation, or one batch of iterations.
  Matrix at = centre.transpose().replicate(total, 1);
  Index first = 0;
  for (const Effect& e : out) {
    for (Index k = 0; k < e.at.size(); ++k) set_value(all[e.input], e.at(k), at.middleRows(first + k, 1));
    first += e.at.size();
  }
  const Prediction function = posterior.predict(at, {.latent = true, .transformed = true});
  // Constant noise is the same everywhere, so that one point determines it.
  const bool constant = model.noise_process.is_constant();
  const Prediction rows =
      posterior.predict(constant ? at.topRows(1) : at, {.expected_rows = total, .transformed = true});
  const Vector noise = constant ? Vector::Constant(total, rows.variance(0) - function.variance(0))
                                : Vector(rows.variance - function.variance);
  first = 0;
  for (Effect& e : out) {
    const Index count = e.at.size();
    e.function = {function.mean.segment(first, count), function.variance.segment(first, count), function.degrees};
    e.rows = {e.function.mean, e.function.variance + noise.segment(first, count), function.degrees};
    e.function = in_target_units(model.transform, std::move(e.function));
    e.rows = in_target_units(model.transform, std::move(e.rows));
    first += count;
  }
  return out;
}

std::vector<NoiseEffect> noise_effects(const Model& model) {
  const std::vector<Input> all = inputs_of(model);
  const std::vector<Index> columns = model.noise_process.inputs();
  const auto matters = [&](const Input& input) {
    return std::any_of(input.columns.begin(), input.columns.end(),
                       [&](Index c) { return std::find(columns.begin(), columns.end(), c) != columns.end(); });
  };
  std::vector<NoiseEffect> out;
  if (columns.empty()) return out;
  const Matrix x = training_inputs(model);
  const Vector centre = middle(all, x);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!matters(all[i])) continue;
    NoiseEffect e{i, values_along(all[i], x, several_inputs_points), {}};
    Matrix at = centre.transpose().replicate(e.at.size(), 1);
    for (Index k = 0; k < e.at.size(); ++k) set_value(all[i], e.at(k), at.middleRows(k, 1));
    e.deviation = noise_std(model, at);
    out.push_back(std::move(e));
  }
  return out;
}

std::vector<ComponentEffect> component_effects(const Model& model, const Posterior& posterior, const Vector& at) {
  std::vector<ComponentEffect> out;
  if (named_summands(model).size() < 2) return out;
  const Matrix all = training_inputs(model);
  const Matrix x = all(thinned(all.rows(), shown_rows), Eigen::all);
  for (const Component& c : posterior.components(x, true)) {
    out.push_back({c.name, spread(c.prediction.mean).deviation, {}});
  }
  if (at.size() == 0 || all.cols() != 1) return out;
  std::vector<Component> curves = posterior.components(at, model.x.rows() > factorised_rows);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].function = std::move(curves[i].prediction);
  return out;
}

}  // namespace gpcv
