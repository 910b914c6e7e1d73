#include "support/random_kernel.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <vector>

namespace gpcv {

std::string random_leaf(Random& random, Index d) {
  static const std::vector<std::string> names = family_names();
  const std::string name = names[random.below(names.size())];
  std::string arguments = fmt::format("s2={}", random.uniform(0.3, 2));
  if (name != "const") {
    const bool ard = random.below(2) == 0;
    const bool subset = d > 1 && random.below(3) == 0;
    const Index columns = subset ? 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(d) - 1)) : d;
    if (subset) {
      auto order = random.permutation(d);
      order.resize(static_cast<std::size_t>(columns));
      arguments += fmt::format(", on=[{}]", fmt::join(order, ","));
    }
    if (ard) {
      std::vector<double> lengths;
      for (Index c = 0; c < columns; ++c) lengths.push_back(random.uniform(0.5, 3));
      arguments += fmt::format(", l=[{}]", fmt::join(lengths, ","));
    } else if (name != "linear") {
      arguments += fmt::format(", l={}", random.uniform(0.5, 3));
    }
  }
  if (name == "lp" || name == "periodic") arguments += fmt::format(", p={}", random.uniform(0.7, 3));
  if (name == "rq") arguments += fmt::format(", alpha={}", random.uniform(0.3, 4));
  return fmt::format("{}({})", name, arguments);
}

std::string random_expression(Random& random, Index d, int depth) {
  if (depth <= 1) return random_leaf(random, d);
  const std::string left = random_expression(random, d, depth - 1);
  const std::string right = random_expression(random, d, depth - 1 - static_cast<int>(random.below(2)));
  return random.below(2) == 0 ? fmt::format("({} + {})", left, right) : fmt::format("({} * {})", left, right);
}

Matrix random_inputs(Random& random, Index n, Index d) {
  Matrix x(n, d);
  for (double& value : x.reshaped()) value = random.normal();
  return x;
}

Matrix with_condition(Random& random, Index n, double condition) {
  const Matrix q = Eigen::HouseholderQR<Matrix>(random_inputs(random, n, n)).householderQ();
  Vector eigenvalues(n);
  for (Index i = 0; i < n; ++i) {
    eigenvalues(i) = std::pow(condition, static_cast<double>(i) / static_cast<double>(n - 1));
  }
  return q * eigenvalues.asDiagonal() * q.transpose();
}

}  // namespace gpcv
