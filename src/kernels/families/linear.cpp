/// Linear: k = s² Σ_c x_c x'_c / l_c², with length scales only under ARD.
#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double term(const LeafArguments& a, int c) { return a.variance * a.product[c] / (a.length[c] * a.length[c]); }

double value(const LeafArguments& a) {
  double sum = 0;
  for (int c = 0; c < a.columns; ++c) sum += term(a, c);
  return sum;
}

double gradient(const LeafArguments& a, LeafGradient& g) {
  g.variance = 0;
  for (int c = 0; c < a.columns; ++c) {
    g.variance += term(a, c);
    g.length[c] = -2 * term(a, c);
  }
  return g.variance;
}

}  // namespace

const Family linear_family{
    .name = "linear", .op = Op::linear, .length = LengthScale::only_ard, .value = value, .gradient = gradient};

}  // namespace gpcv
