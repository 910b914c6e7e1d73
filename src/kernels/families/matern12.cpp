/// Matérn ½ (exponential): k = s² exp(−r).
#include <cmath>

#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) { return a.variance * std::exp(-std::sqrt(squared_distance(a))); }

double gradient(const LeafArguments& a, LeafGradient& g) {
  const double r = std::sqrt(squared_distance(a));
  const double k = a.variance * std::exp(-r);
  g.variance = k;
  // ∂k/∂(r²) = −k/(2r), whose product with q_c ≤ r² vanishes at r = 0.
  length_gradient(a, r > 0 ? -k / (2 * r) : 0, g.length);
  return k;
}

}  // namespace

const Family matern12_family{.name = "matern12", .op = Op::matern12, .value = value, .gradient = gradient};

}  // namespace gpcv
