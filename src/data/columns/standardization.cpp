#include <fmt/format.h>

#include "data/columns/spread.hpp"
#include "gpcv/dataset.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

double scale_of(const Spread& spread) { return spread.deviation > 0 ? spread.deviation : 1; }

}  // namespace

Standardization Standardization::fit(ConstView x, ConstVectorView y) {
  Standardization result = identity(x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    const Spread column = spread(x.col(j));
    result.x_mean(j) = column.mean;
    if (x.cols() > 1) result.x_scale(j) = scale_of(column);
  }
  const Spread target = spread(y);
  result.y_mean = target.mean;
  result.y_scale = scale_of(target);
  return result;
}

Standardization Standardization::identity(Index d) {
  Standardization result;
  result.x_mean = Vector::Zero(d);
  result.x_scale = Vector::Ones(d);
  return result;
}

Matrix Standardization::inputs(ConstView x) const {
  if (x.cols() != x_mean.size()) {
    throw InputError(
        fmt::format("the inputs have {} columns but the model was trained on {}", x.cols(), x_mean.size()));
  }
  return (x.rowwise() - x_mean.transpose()).array().rowwise() / x_scale.transpose().array();
}

Vector Standardization::target(ConstVectorView y) const { return (y.array() - y_mean) / y_scale; }

Vector Standardization::mean(ConstVectorView standardized) const { return y_mean + y_scale * standardized.array(); }

Vector Standardization::variance(ConstVectorView standardized) const { return y_scale * y_scale * standardized; }

}  // namespace gpcv
