#include "solvers/dense_cross_validation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "problem/parameters.hpp"
#include "support/dense_folds.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

std::vector<Index> range(Index first, Index end) {
  std::vector<Index> rows(static_cast<std::size_t>(end - first));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

/// Folds that share training and validation rows, in no order of size, with rows that nobody uses.
Folds overlapping(Index n) {
  Folds folds{n, {}, "overlapping"};
  folds.folds.push_back({range(n / 4, n - 2), range(0, n / 4)});
  folds.folds.push_back({range(0, n / 2), range(n / 2, n - 2)});
  folds.folds.push_back({range(0, n / 2), range(n / 2 + 1, n / 2 + 3)});
  folds.folds.push_back({range(2, 5), {0, 5, n - 3}});
  folds.folds.push_back({range(0, n / 2), range(n / 2, n / 2 + 4)});
  return folds;
}

std::vector<Folds> all_kinds(Random& random, Index n) {
  std::vector<Folds> kinds = assorted_folds(n);
  kinds.push_back(Folds::random(n, n, 2));
  kinds.push_back(Folds::interleaved(n, 5));
  Vector time(n);
  for (double& t : time) t = random.uniform(0, 10);
  kinds.push_back(Folds::forward_chaining(time, 4));
  kinds.push_back(Folds::forward_chaining(time, 2, 2.0));
  kinds.push_back(overlapping(n));
  return kinds;
}

struct Setting {
  Setting(Random& random, Index n) {
    const Index d = 1 + static_cast<Index>(random.below(3));
    problem = {random_inputs(random, n, d),
               random_inputs(random, n, 1),
               Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(2)))).bind(d),
               {.variance = random.uniform(0.05, 0.5)}};
  }
  DenseCrossValidation at(const Kernel& kernel, double noise, const Folds& folds, int threads = 1) const {
    return {kernel.lower(), noise, problem.x, problem.y, folds, {.threads = threads}};
  }
  DenseCrossValidation at(const Folds& folds, int threads = 1) const {
    return at(problem.kernel, problem.noise.variance, folds, threads);
  }

  Problem problem;
};

struct BruteForce {
  Vector residuals, variances;
};

BruteForce brute_force(const Problem& problem, const Folds& folds) {
  BruteForce result{Vector(folds.validated()), Vector(folds.validated())};
  Index at = 0;
  for (const Fold& fold : folds.folds) {
    const Holdout data = Holdout::of(problem.x, problem.y, fold);
    const DenseHoldout dense(data, problem.kernel, problem.noise.variance);
    const Index count = data.y_v.size();
    const Matrix prior = dense_kernel(problem.kernel.lower(), data.x_v, 1);
    const Matrix explained = dense.k_vt * dense.c.llt().solve(Matrix(dense.k_vt.transpose()));
    result.residuals.segment(at, count) = dense.residual();
    result.variances.segment(at, count) = (prior - explained).diagonal().array() + problem.noise.variance;
    at += count;
  }
  return result;
}

TEST(DenseCrossValidation, ResidualsAndVariancesAreThoseOfEachFoldByItself) {
  Random random(401);
  for (int trial = 0; trial < 12; ++trial) {
    const Index n = 24 + static_cast<Index>(random.below(20));
    const Setting s(random, n);
    for (const Folds& folds : all_kinds(random, n)) {
      SCOPED_TRACE(folds.description + ", " + s.problem.kernel.to_string());
      const BruteForce expected = brute_force(s.problem, folds);
      const DenseCrossValidation found = s.at(folds, 1 + trial % 2);
      ASSERT_EQ(found.residuals().size(), folds.validated());
      EXPECT_LT((found.residuals() - expected.residuals).norm(), 1e-8 * expected.residuals.norm());
      EXPECT_LT((found.variances() - expected.variances).norm(), 1e-8 * expected.variances.norm());
      EXPECT_EQ(found.jitter(), 0);
    }
  }
}

TEST(DenseCrossValidation, JacobianMatchesFiniteDifferences) {
  Random random(402);
  for (int trial = 0; trial < 8; ++trial) {
    const Index n = 20 + static_cast<Index>(random.below(12));
    const Setting s(random, n);
    const Vector u = log_parameters(s.problem).value;
    for (const Folds& folds : all_kinds(random, n)) {
      SCOPED_TRACE(folds.description + ", " + s.problem.kernel.to_string());
      const auto residuals = [&](const Vector& at) {
        return s.at(kernel_at(s.problem, at), noise_at(s.problem, at), folds).residuals();
      };
      const Matrix expected = central_differences(residuals, u);
      const DenseCrossValidation here = s.at(folds);
      const Matrix found = here.jacobian(true);
      ASSERT_EQ(found.rows(), expected.rows());
      ASSERT_EQ(found.cols(), expected.cols());
      for (Index i = 0; i < u.size(); ++i) {
        EXPECT_LT((found.col(i) - expected.col(i)).norm(), 1e-6 * (1e-2 + expected.norm())) << "parameter " << i;
      }
      const Matrix kernel_alone = here.jacobian(false);
      ASSERT_EQ(kernel_alone.cols(), u.size() - 1);
      EXPECT_LT((kernel_alone - found.leftCols(u.size() - 1)).norm(), 1e-12 * found.norm());
    }
  }
}

TEST(DenseCrossValidation, AKernelWithNothingFreeHasTheNoiseColumnAlone) {
  Random random(403);
  Setting s(random, 20);
  s.problem.kernel = Kernel::parse("se(l=1:fixed, s2=1:fixed)").bind(s.problem.x.cols());
  for (const Folds& folds : {Folds::random(20, 4, 1), Folds::holdout(20, 0.3, 1)}) {
    const auto residuals = [&](const Vector& u) { return s.at(s.problem.kernel, std::exp(u(0)), folds).residuals(); };
    const Matrix expected = central_differences(residuals, Vector::Constant(1, std::log(s.problem.noise.variance)));
    EXPECT_LT((s.at(folds).jacobian(true) - expected).norm(), 1e-6 * expected.norm());
    EXPECT_EQ(s.at(folds).jacobian(false).cols(), 0);
    EXPECT_EQ(s.at(folds).jacobian(false).rows(), folds.validated());
  }
}

TEST(DenseCrossValidation, ManyParametersAreDerivedInSeveralBatchesOfFolds) {
  // n / (p + 1) < folds: the derivatives come in parts.
  Random random(404);
  const Index n = 30, d = 6;
  Setting s(random, n);
  s.problem.x = random_inputs(random, n, d);
  s.problem.kernel = Kernel::parse("se(ard) + matern32(ard, s2=0.5)").bind(d);
  const Vector u = log_parameters(s.problem).value;
  const Folds folds = Folds::random(n, 10, 1);
  const auto residuals = [&](const Vector& at) {
    return s.at(kernel_at(s.problem, at), noise_at(s.problem, at), folds).residuals();
  };
  const Matrix expected = central_differences(residuals, u);
  EXPECT_LT((s.at(folds).jacobian(true) - expected).norm(), 1e-6 * expected.norm());
}

TEST(DenseCrossValidation, InvertsWhereEveryFoldTrainsOnAllItDoesNotValidate) {
  const Vector time = Vector::LinSpaced(12, 0, 1);
  EXPECT_TRUE(DenseCrossValidation::inverts(Folds::random(12, 5, 1)));
  EXPECT_TRUE(DenseCrossValidation::inverts(Folds::random(12, 12, 1)));
  EXPECT_TRUE(DenseCrossValidation::inverts(Folds::interleaved(12, 2)));
  EXPECT_FALSE(DenseCrossValidation::inverts(Folds::holdout(12, 0.5, 1)));
  EXPECT_FALSE(DenseCrossValidation::inverts(Folds::forward_chaining(time, 3)));
  EXPECT_FALSE(DenseCrossValidation::inverts(overlapping(12)));
}

TEST(DenseCrossValidation, SaysWhichJitterEqualRowsWithoutNoiseNeeded) {
  Random random(405);
  Setting s(random, 30);
  s.problem.x.bottomRows(15) = s.problem.x.topRows(15);
  s.problem.kernel = Kernel::parse("se").bind(s.problem.x.cols());
  for (const Folds& folds : {Folds::random(30, 5, 1), Folds::holdout(30, 0.3, 1)}) {
    const DenseCrossValidation found = s.at(s.problem.kernel, 1e-300, folds);
    EXPECT_GT(found.jitter(), 0);
    EXPECT_TRUE(found.residuals().allFinite());
    EXPECT_TRUE(found.variances().allFinite());
  }
}

}  // namespace
}  // namespace gpcv
