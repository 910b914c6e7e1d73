#include "trainers/start/automatic_start.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "support/dense_holdout.hpp"
#include "trainers/start/fold_score.hpp"
#include "trainers/start/local_start.hpp"
#include "trainers/start/relevance.hpp"

namespace gpcv {
namespace {

/// A table with uniform inputs on [−1, 1] and a function of them, scaled to deviation 1, with noise.
template <class Function>
Problem table_of(const Function& f, Index n, Index d, double noise, const std::string& kernel, std::uint64_t seed) {
  Random random(seed);
  Problem problem;
  problem.x = Matrix(n, d).unaryExpr([&](double) { return random.uniform(-1, 1); });
  problem.y.resize(n);
  for (Index i = 0; i < n; ++i) problem.y(i) = f(Vector(problem.x.row(i)));
  problem.y.array() -= problem.y.mean();
  problem.y *= std::sqrt(static_cast<double>(n)) / problem.y.norm();
  for (double& y : problem.y) y += noise * random.normal();
  problem.kernel = Kernel::parse(kernel).bind(d);
  problem.folds = Folds::random(n, 5, seed);
  return with_default_start(problem);
}

/// Held-out root mean squared error at log θ.
double held_out_error(const Problem& problem, const Vector& u) {
  return std::sqrt(held_out_score(problem, u, 1)->squares / static_cast<double>(problem.folds.validated()));
}

TEST(RelevanceStart, FindsOneInputAmongMany) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Problem problem = table_of([](const Vector& x) { return std::sin(8 * x(0)); }, 250, 20, 0.1, "se(ard)", seed);
    const std::optional<Vector> start = relevance_start(problem, {});
    ASSERT_TRUE(start);
    EXPECT_LT((*start)(0), (*start)(1) - 2) << "the first length scale is short, the others are long";
    EXPECT_LT(held_out_error(problem, *start), 0.5);
  }
}

TEST(RelevanceStart, FindsAPairWithoutASingleEffect) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Problem problem =
        table_of([](const Vector& x) { return x(3) * std::sin(5 * x(4)); }, 600, 12, 0.2, "matern32(ard)", seed);
    const std::optional<Vector> start = relevance_start(problem, {});
    ASSERT_TRUE(start);
    for (Index c = 0; c < 12; ++c) {
      if (c == 3 || c == 4) continue;
      EXPECT_GT((*start)(c), std::max((*start)(3), (*start)(4)) + 1) << c;
    }
  }
}

TEST(RelevanceStart, HasNothingToSayOfNoiseAndOfOneInput) {
  EXPECT_FALSE(relevance_start(table_of([](const Vector&) { return 0.0; }, 200, 5, 1, "se(ard)", 3), {}));
  EXPECT_FALSE(relevance_start(table_of([](const Vector& x) { return x(0); }, 100, 1, 0.1, "se(ard)", 3), {}));
  EXPECT_FALSE(relevance_start(table_of([](const Vector& x) { return x(0); }, 100, 4, 0.1, "se", 3), {}));
}

TEST(AutomaticStart, IsBestByTheFoldsAndKeepsGivenValues) {
  const auto f = [](const Vector& x) { return std::sin(8 * x(0)); };
  const Problem problem = table_of(f, 250, 10, 0.1, "se(ard)", 5);
  const std::vector<Vector> starts = automatic_starts(problem, 250, {});
  ASSERT_FALSE(starts.empty());
  EXPECT_LT(held_out_error(problem, starts.front()), 0.13);
  const Problem given = table_of(f, 250, 2, 0.1, "se(l=[0.7:fixed,3])", 5);
  for (const Vector& start : automatic_starts(given, 250, {})) EXPECT_TRUE(start.allFinite());
}

/// Rows of 40 groups, whose level no input tells and whose number is an input.
TEST(AutomaticStart, RespectsGroupsFromTheFirstLook) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    constexpr Index n = 320;
    Problem problem;
    problem.x.resize(n, 2);
    problem.y.resize(n);
    std::vector<Index> groups;
    double level = 0, weight = 0;
    for (Index i = 0; i < n; ++i) {
      if (i % 8 == 0) level = 0.7 * random.normal(), weight = random.normal();
      groups.push_back(i / 8);
      const double dose = random.uniform(0, 5);
      problem.x.row(i) << weight, (dose - 2.5) / 1.4;
      problem.y(i) = 4.3 * dose / (1 + dose) - 2.6 + level + 0.1 * random.normal();
    }
    problem.kernel = Kernel::parse("se(ard)").bind(2);
    problem.folds = Folds::grouped(groups, 5, seed);
    problem = with_default_start(problem);
    found += held_out_error(problem, automatic_starts(problem, n, {}).front()) < 0.85 ? 1 : 0;
  }
  EXPECT_EQ(found, 6);
}

TEST(LocalScore, HasTheGradientOfFiniteDifferences) {
  const auto f = [](const Vector& x) { return std::sin(3 * x(0)) + x(1); };
  const Problem problem = table_of(f, 80, 2, 0.2, "se(ard) + matern32(ard)", 2);
  const Vector u = log_values(problem);
  const LocalRows sample = local_rows(problem, u, 20, 12, 1, 2);
  ASSERT_EQ(sample.rows.size(), 20u);
  const LocalScore score = local_score(problem, u, sample, 2);
  const auto value = [&](const Vector& at) { return Vector::Constant(1, local_score(problem, at, sample, 1).value); };
  EXPECT_LT((central_differences(value, u).transpose() - score.gradient).norm(), 1e-5 * score.gradient.norm());
}

TEST(LocalScore, WithAllRowsAsNeighboursItIsTheDensityOfTheFolds) {
  const Problem problem = table_of([](const Vector& x) { return std::sin(3 * x(0)); }, 50, 1, 0.2, "se", 2);
  const Vector u = log_values(problem);
  const LocalScore all = local_score(problem, u, local_rows(problem, u, 50, 1000, 1, 1), 1);
  const auto score = held_out_score(problem, u, 1);
  EXPECT_TRUE(std::isfinite(all.value));
  EXPECT_EQ(score->residuals.size(), 50);
}

TEST(LocalStart, SeesWhatASubsetDoesNot) {
  // A fast wave of 80 periods needs the density of all rows.
  const auto f = [](const Vector& x) { return std::sin(250 * x(0)) + 2 * std::sin(2 * x(0)); };
  const Problem problem = table_of(f, 3000, 1, 0.1, "se + matern32", 4);
  Vector start = log_values(problem);
  const Vector u = local_start(problem, {start}, {});
  const LocalRows fresh = local_rows(problem, u, 100, 40, 9, 2);
  EXPECT_LT(local_score(problem, u, fresh, 2).value, local_score(problem, start, fresh, 2).value);
}

}  // namespace
}  // namespace gpcv
