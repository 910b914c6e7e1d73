#include "operators/dense_factor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gpcv/error.hpp"

namespace gpcv {

void throw_indefinite() {
  throw NumericalError(
      fmt::format("the covariance matrix is not positive definite, even with {:.0e} of its diagonal added: "
                  "raise the noise, or drop duplicated rows",
                  jitters.back()));
}

double finite_mean(const Vector& diagonal) {
  const double scale = diagonal.mean();
  if (!std::isfinite(scale)) throw NumericalError("the covariance matrix contains values that are not finite");
  return scale;
}

}  // namespace gpcv
