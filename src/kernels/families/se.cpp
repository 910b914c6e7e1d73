/// Squared exponential: k = s² exp(−r²/2), r² = Σ_c (x_c − x'_c)²/l_c².
#include <cmath>

#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) { return a.variance * std::exp(-squared_distance(a) / 2); }

double gradient(const LeafArguments& a, LeafGradient& g) {
  const double k = value(a);
  g.variance = k;
  // ∂k/∂(r²) = −k/2
  length_gradient(a, -k / 2, g.length);
  return k;
}

}  // namespace

const Family se_family{.name = "se", .op = Op::se, .value = value, .gradient = gradient};

}  // namespace gpcv
