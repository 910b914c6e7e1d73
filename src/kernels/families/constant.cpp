/// Constant: k = s².
#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) { return a.variance; }

double gradient(const LeafArguments& a, LeafGradient& g) {
  g.variance = a.variance;
  for (int c = 0; c < a.columns; ++c) g.length[c] = 0;
  return a.variance;
}

}  // namespace

const Family constant_family{
    .name = "const", .op = Op::constant, .length = LengthScale::none, .value = value, .gradient = gradient};

}  // namespace gpcv
