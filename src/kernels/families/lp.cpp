/// Locally periodic, with the same length scales in both factors:
/// k = s² exp(−2 Σ_c sin²(π (x_c − x'_c)/p)/l_c²) exp(−r²/2), r² = Σ_c (x_c − x'_c)²/l_c².
#include <cmath>

#include "kernels/families/family.hpp"
#include "kernels/families/periodic.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) { return a.variance * std::exp(-periodic_exponent(a) - squared_distance(a) / 2); }

double gradient(const LeafArguments& a, LeafGradient& g) {
  const double k = value(a);
  g.variance = k;
  length_gradient(a, -k / 2, g.length);
  add_periodic_gradient(a, k, g);
  return k;
}

}  // namespace

const Family lp_family{.name = "lp", .op = Op::lp, .period = true, .value = value, .gradient = gradient};

}  // namespace gpcv
