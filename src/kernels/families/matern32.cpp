/// Matérn 3/2: k = s² (1 + √3 r) exp(−√3 r).
#include <cmath>
#include <numbers>

#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) {
  const double t = std::numbers::sqrt3 * std::sqrt(squared_distance(a));
  const double e = std::exp(-t);
  return e == 0 ? 0 : a.variance * (1 + t) * e;
}

double gradient(const LeafArguments& a, LeafGradient& g) {
  const double t = std::numbers::sqrt3 * std::sqrt(squared_distance(a));
  const double e = a.variance * std::exp(-t);
  const double k = value(a);
  g.variance = k;
  // ∂k/∂(r²) = −(3/2) s² exp(−√3 r)
  length_gradient(a, -1.5 * e, g.length);
  return k;
}

}  // namespace

const Family matern32_family{.name = "matern32", .op = Op::matern32, .value = value, .gradient = gradient};

}  // namespace gpcv
