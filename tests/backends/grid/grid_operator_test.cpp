/// Products by Fourier transforms against the pair-by-pair definition, on grids with gaps, repeated points and shifts.
#include "backends/grid/grid_operator.hpp"

#include <gtest/gtest.h>

#include "gpcv/operator.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

const std::vector<std::string> kernels{"se(l=0.7)", "lp(l=0.9, p=1.5)", "se(l=3) + lp(l=1, p=2)",
                                       "matern12 * periodic(p=0.4)", "rq + const"};

/// `n` random places of a grid, some of them repeated, in random order.
Matrix on_grid(Random& random, Index n, double origin, double spacing, std::uint64_t places) {
  Matrix x(n, 1);
  for (double& value : x.reshaped()) value = origin + spacing * static_cast<double>(random.below(places));
  return x;
}

void expect_equal(const KernelOperator& found, const KernelOperator& expected, Random& random,
                  const std::string& text) {
  ASSERT_EQ(found.parameters(), expected.parameters());
  const Index r = 1 + static_cast<Index>(random.below(4)), p = found.parameters();
  const Matrix v = random_inputs(random, found.cols(), r), u = random_inputs(random, found.rows(), r);
  Matrix y(found.rows(), r), y2(found.rows(), r), j(found.rows(), p * r), j2(found.rows(), p * r);
  Vector g(p), g2(p);
  found.apply(v, y);
  expected.apply(v, y2);
  found.derivatives(v, j);
  expected.derivatives(v, j2);
  found.contract(u, v, g);
  expected.contract(u, v, g2);
  const double scale = 1e-12 * static_cast<double>(found.rows() + found.cols()) * v.norm();
  EXPECT_LT((y - y2).norm(), scale) << text;
  EXPECT_LT((j - j2).norm(), 10 * scale) << text;
  EXPECT_LT((g - g2).norm(), 10 * scale * u.norm()) << text;
}

TEST(GridOperator, MatchesTheDefinition) {
  Random random(7);
  for (int trial = 0; trial < 40; ++trial) {
    const std::string& text = kernels[random.below(kernels.size())];
    const KernelProgram program = Kernel::parse(text).bind(1).lower();
    const auto rows = 1 + static_cast<Index>(random.below(60)), cols = 1 + static_cast<Index>(random.below(60));
    const double spacing = std::exp(random.normal());
    const Matrix x1 = on_grid(random, rows, random.normal(), spacing, 100);
    const Matrix x2 = on_grid(random, cols, random.normal(), 2 * spacing, 50);
    const auto found = GridOperator::make(program, x1, x2);
    ASSERT_NE(found, nullptr);
    expect_equal(*found, *make_operator(program, x1, x2, {.backend = "reference"}), random, text);
  }
}

/// Decimal years lose digits when their mean is subtracted, and remain a grid.
TEST(GridOperator, SurvivesAShiftOfTheInputs) {
  Random random(8);
  const KernelProgram program = Kernel::parse("se(l=2) * periodic(p=1)").bind(1).lower();
  Matrix x(600, 1);
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) = 1958 + static_cast<double>(i) / 12;
  x.array() -= x.mean();
  const auto found = GridOperator::make(program, x, x);
  ASSERT_NE(found, nullptr);
  expect_equal(*found, *make_operator(program, x, {.backend = "reference"}), random, "shifted years");
}

TEST(GridOperator, RefusesWhatIsNoGrid) {
  Random random(9);
  const auto made = [](const std::string& kernel, const Matrix& x) {
    return GridOperator::make(Kernel::parse(kernel).bind(x.cols()).lower(), x, x) != nullptr;
  };
  const Matrix grid = on_grid(random, 40, 0.3, 0.1, 60), scattered = random_inputs(random, 40, 1);
  Matrix beside = grid, sparse(3, 1);
  beside(5, 0) += 1e-4;  // a grid of this spacing has a thousand places per point
  sparse << 0, 1, 1e5;
  EXPECT_TRUE(made("se", grid));
  EXPECT_FALSE(made("se", scattered));
  EXPECT_FALSE(made("se", beside));
  EXPECT_FALSE(made("se", sparse));
  EXPECT_FALSE(made("se + linear", grid));
  EXPECT_FALSE(made("se", random_inputs(random, 40, 2)));
}

/// A backend that is asked for by name computes every product, also where it has no advantage.
TEST(GridOperator, OtherPointsAreComputedPairByPair) {
  Random random(10);
  const KernelProgram program = Kernel::parse("se + linear").bind(1).lower();
  const Matrix x = random_inputs(random, 30, 1);
  expect_equal(*make_operator(program, x, {.backend = "grid"}), *make_operator(program, x, {.backend = "reference"}),
               random, "scattered");
}

}  // namespace
}  // namespace gpcv
