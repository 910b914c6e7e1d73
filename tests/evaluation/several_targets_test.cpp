// Folds that are listed once per target are those of each target by itself, whatever the solver.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "core/borrowed.hpp"
#include "core/random.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "evaluation/target_predictions.hpp"
#include "gpcv/synthetic.hpp"
#include "problem/fold_targets.hpp"
#include "problem/parameters.hpp"
#include "support/dense_folds.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

constexpr double tight = 1e-9;

/// A problem whose targets are draws of the same process, the first of which is y.
Problem some_targets(const Folds& folds, Index targets) {
  Problem problem =
      drawn_problem("se(l=1.5) + lp(l=1, p=2)", "se(l=1.2) + lp(l=1.1, p=2, s2=0.6)", "0.2", folds.rows, 7);
  problem.folds = folds;
  problem.targets.resize(folds.rows, targets);
  for (Index j = 0; j < targets; ++j) {
    const auto seed = static_cast<std::uint64_t>(7 + j);
    problem.targets.col(j) =
        drawn_problem("se(l=1.5) + lp(l=1, p=2)", "se(l=1.2) + lp(l=1.1, p=2, s2=0.6)", "0.2", folds.rows, seed).y;
  }
  return problem;
}

std::vector<Folds> kinds_of_folds(Index n) {
  const Synthetic data = draw(Kernel::parse("se"), {.n = n});
  return {Folds::random(n, 4, 3), Folds::holdout(n, 0.4, 5), Folds::forward_chaining(data.x.col(0), 3)};
}

std::unique_ptr<FoldEvaluator> evaluator_of(const Problem& problem, bool dense) {
  ComputeOptions compute;
  compute.precision = Precision::double_;
  const auto own = std::make_shared<Problem>(problem);
  if (dense) return dense_evaluator(own, compute, std::make_shared<Work>());
  return iterative_evaluator(own, {.rank = 15, .columns = 7}, compute, std::make_shared<Work>());
}

/// The problem of one target by itself.
Problem alone(const Problem& problem, Index target) {
  Problem own = problem;
  own.y = problem.targets.col(target);
  own.targets.resize(0, 0);
  return own;
}

class SeveralTargets : public testing::TestWithParam<bool> {};

TEST_P(SeveralTargets, ErrorsAndNormalEquationsAreSumsOverTheTargets) {
  for (const Folds& folds : kinds_of_folds(80)) {
    SCOPED_TRACE(folds.description);
    const Problem problem = some_targets(folds, 3);
    const auto all = evaluator_of(over_all_targets(problem), GetParam());
    for (const double shift : {0.0, 0.2}) {
      const Vector u = log_parameters(problem).value.array() + shift;
      double expected = 0;
      Matrix jtj = Matrix::Zero(u.size(), u.size());
      Vector jtr = Vector::Zero(u.size());
      for (Index j = 0; j < 3; ++j) {
        const auto own = evaluator_of(alone(problem, j), true);
        expected += own->evaluate(u, tight);
        own->accept();
        const NormalEquations normal = own->normal(tight);
        jtj += normal.jtj;
        jtr += normal.jtr;
      }
      EXPECT_NEAR(all->evaluate(u, tight), expected, 1e-6 * expected);
      all->accept();
      const NormalEquations found = all->normal(tight);
      EXPECT_LT((found.jtj - jtj).norm(), 1e-5 * jtj.norm());
      EXPECT_LT((found.jtr - jtr).norm(), 1e-5 * jtj.norm());
      EXPECT_LT((all->gradient(tight) - 2 * jtr).norm(), 1e-5 * jtj.norm());
    }
  }
}

TEST_P(SeveralTargets, AGradientOfTheSumMatchesFiniteDifferences) {
  const Problem problem = some_targets(Folds::random(60, 4, 3), 3);
  const auto all = evaluator_of(over_all_targets(problem), GetParam());
  const Vector u = log_parameters(problem).value;
  const auto sum = [&](const Vector& at) {
    double f = 0;
    for (Index j = 0; j < 3; ++j) f += pooled_error(alone(problem, j), at.array().exp());
    return Vector::Constant(1, f);
  };
  const Vector expected = central_differences(sum, u).transpose();
  all->evaluate(u, tight);
  all->accept();
  EXPECT_LT((all->gradient(tight) - expected).norm(), 1e-4 * expected.norm());
}

TEST_P(SeveralTargets, CombinationsAreTargetsOfTheirOwn) {
  const Problem problem = over_some_targets(some_targets(Folds::random(60, 3, 3), 5), 1, 1);
  const auto found = evaluator_of(problem, GetParam());
  const Vector u = log_parameters(problem).value;
  found->evaluate(u, tight);
  found->accept();
  Index at = 0;
  for (Index k = 0; k < 3; ++k) {
    Problem own = alone(problem, 0);
    own.y = problem.targets * problem.fold_targets.col(k);
    own.fold_targets.resize(0, 0);
    const auto single = evaluator_of(own, true);
    single->evaluate(u, tight);
    single->accept();
    const auto count = static_cast<Index>(problem.folds.folds[static_cast<std::size_t>(k)].validation.size());
    const Vector expected = single->residuals().segment(at, count);
    EXPECT_LT((found->residuals().segment(at, count) - expected).norm(), 1e-6 * expected.norm());
    at += count;
  }
}

TEST_P(SeveralTargets, PredictionsOfEachTargetAreThoseItHasAlone) {
  for (const Folds& folds : kinds_of_folds(80)) {
    SCOPED_TRACE(folds.description);
    const Problem problem = some_targets(folds, 3);
    const Vector u = log_values(problem);
    std::shared_ptr<FoldEvaluator> all = evaluator_of(over_all_targets(problem), GetParam());
    all->verify(u);
    const auto found = predictions_of_targets(all, folds, 3);
    ASSERT_EQ(found.size(), 3U);
    const VarianceMethod exact{.kind = VarianceMethod::Kind::exact};
    for (Index j = 0; j < 3; ++j) {
      const auto own = evaluator_of(alone(problem, j), true);
      own->verify(u);
      FoldPredictions& target = *found[static_cast<std::size_t>(j)];
      EXPECT_LT((target.residuals() - own->residuals()).norm(), 1e-5 * own->residuals().norm());
      const Vector expected = own->variances(exact, 80), variances = target.variances(exact, 80);
      for (Index i = 0; i < 80; ++i) {
        ASSERT_EQ(std::isnan(variances(i)), std::isnan(expected(i)));
        if (std::isnan(expected(i))) continue;
        EXPECT_NEAR(variances(i), expected(i), 1e-8);
      }
      for (Index k = 0; k < folds.size(); ++k) {
        const Vector z = own->fold_weights(k);
        EXPECT_LT((target.fold_weights(k) - z).norm(), 1e-5 * z.norm());
      }
      const Vector weights = target.all_row_weights().of(0), by_itself = own->all_row_weights().of(0);
      if (GetParam() || folds.size() > 1) {
        ASSERT_EQ(weights.size(), by_itself.size());
        EXPECT_LE((weights - by_itself).norm(), 1e-5 * by_itself.norm());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, SeveralTargets, testing::Values(true, false),
                         [](const auto& info) { return info.param ? "dense" : "iterative"; });

}  // namespace
}  // namespace gpcv
