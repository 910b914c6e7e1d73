#include "gpcv/synthetic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "backends/dense_kernel.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

TEST(Synthetic, DrawsHaveTheKernelsCovariance) {
  const Kernel kernel = Kernel::parse("se(l=0.7, s2=2) + const(s2=0.5)");
  const SyntheticOptions base{.n = 5, .lower = 0, .upper = 2, .noise = 0.3};
  const int trials = 20'000;
  Matrix sum = Matrix::Zero(5, 5);
  Vector mean = Vector::Zero(5);
  for (int t = 0; t < trials; ++t) {
    SyntheticOptions options = base;
    options.seed = static_cast<std::uint64_t>(t) + 1;
    const Vector y = draw(kernel, options).y;
    sum += y * y.transpose();
    mean += y;
  }
  const Vector x = Vector::LinSpaced(5, 0, 2);
  const Matrix expected = dense_kernel(kernel.bind(1).lower(), x, 1) + 0.3 * Matrix::Identity(5, 5);
  EXPECT_LT((sum / trials - expected).cwiseAbs().maxCoeff(), 6 * 2.8 * std::sqrt(2.0 / trials));
  EXPECT_LT((mean / trials).cwiseAbs().maxCoeff(), 5 * std::sqrt(2.8 / trials));
}

TEST(Synthetic, SameSeedSameDrawAndOtherSeedOther) {
  const Kernel kernel = Kernel::parse("matern32(ard)");
  const SyntheticOptions a{.n = 20, .dims = 3, .even = false, .seed = 1},
      b{.n = 20, .dims = 3, .even = false, .seed = 2};
  EXPECT_EQ(draw(kernel, a).y, draw(kernel, a).y);
  EXPECT_NE(draw(kernel, a).y, draw(kernel, b).y);
  EXPECT_GE(draw(kernel, a).x.minCoeff(), 0);
  EXPECT_LT(draw(kernel, a).x.maxCoeff(), 10);
}

TEST(Synthetic, NoiseFreeDrawsReportTheirJitter) {
  const Synthetic smooth = draw(Kernel::parse("se(l=5)"), {.n = 200, .noise = 0});
  EXPECT_GT(smooth.jitter, 0);
  EXPECT_LT(smooth.jitter, 1e-8);
}

TEST(Synthetic, RefusesNonsense) {
  const Kernel kernel = Kernel::parse("se");
  EXPECT_THROW(draw(kernel, {.n = 0}), InputError);
  EXPECT_THROW(draw(kernel, {.dims = 0}), InputError);
  EXPECT_THROW(draw(kernel, {.lower = 3, .upper = 3}), InputError);
  EXPECT_THROW(draw(kernel, {.noise = -1}), InputError);
  EXPECT_THROW(draw(kernel, {.dims = 2, .even = true}), InputError);
}

}  // namespace
}  // namespace gpcv
