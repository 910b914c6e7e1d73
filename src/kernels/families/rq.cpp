/// Rational quadratic: k = s² (1 + r²/(2α))^(−α).
#include <cmath>

#include "kernels/families/family.hpp"

namespace gpcv {
namespace {

double value(const LeafArguments& a) {
  return a.variance * std::exp(-a.shape * std::log1p(squared_distance(a) / (2 * a.shape)));
}

double gradient(const LeafArguments& a, LeafGradient& g) {
  const double ratio = squared_distance(a) / (2 * a.shape);
  const double log_base = std::log1p(ratio);
  const double k = a.variance * std::exp(-a.shape * log_base);
  g.variance = k;
  // ∂k/∂(r²) = −k / (2 (1 + r²/2α))
  length_gradient(a, -k / (2 * (1 + ratio)), g.length);
  // ∂k/∂log α = k α (b/(1 + b) − log(1 + b)), b = r²/2α
  g.shape = k == 0 ? 0 : k * a.shape * (ratio / (1 + ratio) - log_base);
  return k;
}

}  // namespace

const Family rq_family{.name = "rq", .op = Op::rq, .shape = true, .value = value, .gradient = gradient};

}  // namespace gpcv
