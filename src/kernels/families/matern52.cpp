/// Matérn 5/2: k = s² (1 + √5 r + 5r²/3) exp(−√5 r).
#include <cmath>

#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) {
  const double t = std::sqrt(5 * squared_distance(a));
  const double e = std::exp(-t);
  return e == 0 ? 0 : a.variance * (1 + t + t * t / 3) * e;
}

double gradient(const LeafArguments& a, LeafGradient& g) {
  const double t = std::sqrt(5 * squared_distance(a));
  const double e = a.variance * std::exp(-t);
  const double k = value(a);
  g.variance = k;
  // ∂k/∂(r²) = −(5/6) s² (1 + √5 r) exp(−√5 r)
  length_gradient(a, e == 0 ? 0 : -5.0 / 6.0 * (1 + t) * e, g.length);
  return k;
}

}  // namespace

const Family matern52_family{.name = "matern52", .op = Op::matern52, .value = value, .gradient = gradient};

}  // namespace gpcv
