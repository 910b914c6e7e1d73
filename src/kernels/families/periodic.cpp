/// Periodic: k = s² exp(−2 Σ_c sin²(π (x_c − x'_c)/p)/l_c²).
#include "kernels/families/periodic.hpp"

#include <cmath>

#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) { return a.variance * std::exp(-periodic_exponent(a)); }

double gradient(const LeafArguments& a, LeafGradient& g) {
  const double k = value(a);
  g.variance = k;
  for (int c = 0; c < a.columns; ++c) g.length[c] = 0;
  add_periodic_gradient(a, k, g);
  return k;
}

}  // namespace

const Family periodic_family{
    .name = "periodic", .op = Op::periodic, .period = true, .value = value, .gradient = gradient};

}  // namespace gpcv
