#include "gpcv/effects.hpp"
#include "gpcv/operator.hpp"

namespace gpcv {

std::vector<MeanCoefficient> mean_coefficients(const Model& model) {
  std::vector<MeanCoefficient> coefficients;
  if (model.mean == Mean::zero) return coefficients;
  // The kernels of the mean are the last summands; their contributions at 0 and at each unit vector determine the
  // coefficients.
  const Index d = model.scaling.x_mean.size();
  Matrix points = Matrix::Zero(d + 1, model.x.cols());
  points.topRows(d).leftCols(d).setIdentity();
  if (model.x.cols() > d) points.col(d).setOnes();
  const std::vector<Kernel> parts = model.kernel.summands();
  const auto contribution = [&](std::size_t from_the_end) {
    Matrix values(d + 1, 1);
    make_operator(parts[parts.size() - from_the_end].lower(), points, model.x, {})->apply(model.weights, values);
    return Vector(values.col(0) * model.scaling.y_scale);
  };
  if (model.mean == Mean::constant) return {{"constant", model.scaling.y_mean + contribution(1)(d)}};
  const Vector slopes = contribution(1).head(d).cwiseQuotient(model.scaling.x_scale);
  coefficients.push_back({"constant", model.scaling.y_mean + contribution(2)(d) - slopes.dot(model.scaling.x_mean)});
  for (Index c = 0; c < d; ++c)
    coefficients.push_back({model.columns.features[static_cast<std::size_t>(c)], slopes(c)});
  return coefficients;
}

}  // namespace gpcv
