#include "evaluation/fold_evaluator.hpp"
#include "core/borrowed.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "backends/dense_kernel.hpp"
#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"
#include "support/dense_folds.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

constexpr double tight = 1e-8;

IterativePlan plan_of(Index rank, Index columns) { return {.rank = rank, .columns = columns}; }

ComputeOptions in(Precision precision) {
  ComputeOptions compute;
  compute.precision = precision;
  return compute;
}

/// A problem with a dense and an iterative evaluator.
struct Setting {
  explicit Setting(Problem of, const IterativePlan& plan = plan_of(15, 1000),
                   const ComputeOptions& compute = in(Precision::double_))
      : problem(std::move(of)),
        dense(dense_evaluator(borrowed<const Problem>(problem), compute, borrowed(dense_work))),
        iterative(iterative_evaluator(borrowed<const Problem>(problem), plan, compute, borrowed(work))) {}
  Vector start() const { return log_parameters(problem).value; }
  /// Error by its definition, fold by fold.
  double brute_force(const Vector& u) const { return pooled_error(problem, u.array().exp()); }
  Vector brute_force_gradient(const Vector& u) const {
    const auto f = [&](const Vector& at) { return Vector::Constant(1, brute_force(at)); };
    return central_differences(f, u).transpose();
  }

  Problem problem;
  Work dense_work, work;
  std::unique_ptr<FoldEvaluator> dense, iterative;
};

/// A problem without a free scale, so that every parameter matters.
Problem some_problem(const Folds& folds, const std::string& kernel = "se(l=1.2) + lp(l=1.1, p=2, s2=0.6)",
                     const std::string& noise = "0.2") {
  Problem problem = drawn_problem("se(l=1.5) + lp(l=1, p=2)", kernel, noise, folds.rows, 7);
  problem.folds = folds;
  return problem;
}

std::vector<Folds> kinds_of_folds(Index n) {
  const Synthetic data = draw(Kernel::parse("se"), {.n = n});
  return {Folds::random(n, 5, 3), Folds::holdout(n, 0.4, 5), Folds::forward_chaining(data.x.col(0), 3),
          assorted_folds(n).back()};
}

void accepted(FoldEvaluator& error, const Vector& u) {
  ASSERT_TRUE(std::isfinite(error.evaluate(u, tight)));
  error.accept();
}

void expect_same_normal_equations(const NormalEquations& found, const NormalEquations& expected, double tolerance) {
  ASSERT_EQ(found.jtj.rows(), expected.jtj.rows());
  EXPECT_LT((found.jtj - expected.jtj).norm(), tolerance * expected.jtj.norm());
  EXPECT_LT((found.jtr - expected.jtr).norm(), tolerance * (expected.jtr.norm() + 1e-3 * expected.jtj.norm()));
}

TEST(FoldEvaluator, DenseAndIterativeValuesAndResidualsAgreeWithTheDefinition) {
  for (const Folds& folds : kinds_of_folds(90)) {
    for (Index rank : {0, 20}) {
      SCOPED_TRACE(folds.description + ", rank " + std::to_string(rank));
      Setting s(some_problem(folds), plan_of(rank, 1000));
      // At several points in a row, the result must not depend on the last z or on an old preconditioner.
      for (double shift : {0.0, 0.03, 0.4, -0.3}) {
        const Vector u = s.start().array() + shift;
        const double expected = s.brute_force(u);
        EXPECT_NEAR(s.dense->evaluate(u, tight), expected, 1e-8 * expected);
        EXPECT_NEAR(s.iterative->evaluate(u, tight), expected, 1e-6 * expected);
        s.dense->accept();
        s.iterative->accept();
        ASSERT_EQ(s.dense->residuals().size(), folds.validated());
        ASSERT_EQ(s.iterative->residuals().size(), folds.validated());
        EXPECT_LT((s.dense->residuals() - s.iterative->residuals()).norm(), 1e-6 * s.dense->residuals().norm());
      }
    }
  }
}

TEST(FoldEvaluator, DenseAndIterativeNormalEquationsAgree) {
  for (const Folds& folds : kinds_of_folds(90)) {
    for (const char* noise : {"0.2", "0.2:fixed"}) {
      for (Index rank : {0, 20}) {
        SCOPED_TRACE(folds.description + ", noise " + noise + ", rank " + std::to_string(rank));
        Setting s(some_problem(folds, "se(l=1.2) + lp(l=1.1, p=2, s2=0.6)", noise), plan_of(rank, 1000));
        // At the second point, the sensitivities start from those of the first.
        for (double shift : {0.0, 0.2}) {
          const Vector u = s.start().array() + shift;
          accepted(*s.dense, u);
          accepted(*s.iterative, u);
          expect_same_normal_equations(s.iterative->normal(tight), s.dense->normal(tight), 1e-5);
        }
      }
    }
  }
}

TEST(FoldEvaluator, NormalEquationsMatchFiniteDifferences) {
  for (const Folds& folds : kinds_of_folds(60)) {
    SCOPED_TRACE(folds.description);
    Setting s(some_problem(folds));
    const Vector u = s.start();
    const auto residuals = [&](const Vector& at) {
      accepted(*s.dense, at);
      return s.dense->residuals();
    };
    const Matrix j = central_differences(residuals, u);
    const NormalEquations expected{j.transpose() * j, j.transpose() * residuals(u)};
    expect_same_normal_equations(s.dense->normal(tight), expected, 1e-5);
    accepted(*s.iterative, u);
    expect_same_normal_equations(s.iterative->normal(tight), expected, 1e-5);
  }
}

TEST(FoldEvaluator, TheJacobianFollowsAcceptedPointsBySecants) {
  Setting s(some_problem(Folds::random(90, 4, 3)));
  EXPECT_EQ(s.dense->moves_since_normal(), -1);
  Vector u = s.start();
  accepted(*s.iterative, u);
  EXPECT_EQ(s.iterative->moves_since_normal(), -1);
  const NormalEquations solved = s.iterative->normal(tight);
  EXPECT_EQ(s.iterative->moves_since_normal(), 0);
  expect_same_normal_equations(s.iterative->normal_of_jacobian({}), solved, 1e-12);
  const Vector step = Vector::LinSpaced(u.size(), -0.1, 0.15);
  const Vector before = s.iterative->residuals();
  u += step;
  accepted(*s.iterative, u);
  EXPECT_EQ(s.iterative->moves_since_normal(), 1);
  // J s = Δr, which the J of the first point misses.
  const Vector change = s.iterative->residuals() - before;
  const NormalEquations followed = s.iterative->normal_of_jacobian({});
  EXPECT_NEAR(step.dot(followed.jtj * step), change.squaredNorm(), 1e-6 * change.squaredNorm());
  EXPECT_NEAR(step.dot(followed.jtr), change.dot(s.iterative->residuals()), 1e-6 * change.squaredNorm());
  EXPECT_GT(std::abs(step.dot(solved.jtj * step) - change.squaredNorm()), 1e-3 * change.squaredNorm());
  // What is solved for anew is the derivative again.
  accepted(*s.dense, u);
  expect_same_normal_equations(s.iterative->normal(tight), s.dense->normal(tight), 1e-5);
  EXPECT_EQ(s.iterative->moves_since_normal(), 0);
}

TEST(FoldEvaluator, TheGradientIsTwiceJtrAndThatOfFiniteDifferences) {
  for (const Folds& folds : kinds_of_folds(90)) {
    for (const char* noise : {"0.2", "0.2:fixed"}) {
      SCOPED_TRACE(folds.description + ", noise " + noise);
      Setting s(some_problem(folds, "se(l=0.8) + lp(l=1.1, p=2, s2=0.6)", noise));
      for (double shift : {0.0, 0.3}) {
        const Vector u = s.start().array() + shift;
        const Vector expected = s.brute_force_gradient(u);
        accepted(*s.dense, u);
        accepted(*s.iterative, u);
        EXPECT_LT((s.dense->gradient(tight) - expected).norm(), 1e-5 * expected.norm());
        const Vector adjoint = s.iterative->gradient(tight);
        EXPECT_LT((adjoint - expected).norm(), 1e-4 * expected.norm());
        EXPECT_LT((adjoint - 2 * s.iterative->normal(tight).jtr).norm(), 1e-4 * expected.norm());
      }
    }
  }
}

TEST(FoldEvaluator, WeightsAndSlopesOfRowsEnterTheNormalEquationsAndTheGradient) {
  for (const Folds& folds : kinds_of_folds(60)) {
    SCOPED_TRACE(folds.description);
    Setting s(some_problem(folds));
    const Vector u = s.start();
    const auto residuals = [&](const Vector& at) {
      accepted(*s.dense, at);
      return s.dense->residuals();
    };
    const Matrix j = central_differences(residuals, u);
    Random random(4);
    RowLoss loss{Vector(j.rows()), Vector(j.rows())};
    for (double& slope : loss.slope) slope = random.normal();
    for (double& weight : loss.weight) weight = random.uniform(0.1, 2);
    const NormalEquations expected{j.transpose() * loss.weight.asDiagonal() * j, j.transpose() * loss.slope};
    accepted(*s.dense, u);
    accepted(*s.iterative, u);
    for (FoldEvaluator* evaluator : {s.dense.get(), s.iterative.get()}) {
      expect_same_normal_equations(evaluator->normal(tight, loss), expected, 1e-5);
      EXPECT_LT((evaluator->gradient(tight, loss.slope) - 2 * expected.jtr).norm(), 1e-4 * expected.jtr.norm());
    }
  }
}

TEST(FoldEvaluator, TheGradientOfAFailedSolveIsNotANumber) {
  Setting s(some_problem(Folds::random(80, 4, 3)), plan_of(0, 1000));
  const Vector u = s.start();
  accepted(*s.iterative, u);
  EXPECT_TRUE(s.iterative->gradient(tight).allFinite());
  accepted(*s.iterative, u.array() + 0.3);
  s.iterative->limit_iterations(1);
  EXPECT_FALSE(s.iterative->gradient(tight).allFinite());
}

TEST(FoldEvaluator, SensitivitiesThatAreNotSolvedAreSaidToBe) {
  Setting s(some_problem(Folds::random(120, 5, 3)), plan_of(0, 1000));
  accepted(*s.iterative, s.start());
  s.iterative->limit_iterations(1);
  EXPECT_FALSE(s.iterative->normal(1e-8).solved);
  s.iterative->limit_iterations(2000);
  EXPECT_TRUE(s.iterative->normal(1e-8).solved);
}

TEST(FoldEvaluator, VariancesAndWeightsOfAllRowsAreThoseOfTheDefinition) {
  for (const Folds& folds : kinds_of_folds(80)) {
    SCOPED_TRACE(folds.description);
    Setting s(some_problem(folds));
    const Vector u = s.start();
    const Kernel kernel = kernel_at(s.problem, u);
    const double noise = noise_at(s.problem, u);
    Matrix c = dense_kernel(kernel.lower(), s.problem.x, 1);
    c.diagonal().array() += noise;
    const Vector weights = c.llt().solve(s.problem.y);
    for (FoldEvaluator* evaluator : {s.dense.get(), s.iterative.get()}) {
      evaluator->verify(u);
      const AllRowWeights found = evaluator->all_row_weights();
      if (found.values.size() > 0) {
        EXPECT_LT((found.values - weights).norm(), 1e-5 * weights.norm());
        EXPECT_LE(found.residual, 1e-6);
      }
      const Vector variances = evaluator->variances({.kind = VarianceMethod::Kind::exact}, 0);
      for (const Fold& fold : folds.folds) {
        const Matrix cross = c(fold.training, fold.validation), inner = c(fold.training, fold.training);
        const Matrix left = Matrix(c(fold.validation, fold.validation)) - cross.transpose() * inner.llt().solve(cross);
        if (folds.folds.size() == 1 || DenseCrossValidation::inverts(folds)) {
          EXPECT_LT((variances(fold.validation) - left.diagonal()).cwiseAbs().maxCoeff(), 1e-8);
        }
      }
    }
    EXPECT_EQ(s.dense->jitter(), 0);
  }
}

TEST(FoldEvaluator, AFactorisationStaysUntilAnotherPointIsTried) {
  Setting s(some_problem(Folds::random(80, 5, 3)));
  accepted(*s.dense, s.start());
  const double before = s.dense_work.kernel_passes;
  s.dense->verify(s.start());
  EXPECT_GT(s.dense->all_row_weights().values.size(), 0);
  s.dense->variances({.kind = VarianceMethod::Kind::exact}, 0);
  EXPECT_EQ(s.dense_work.kernel_passes, before) << "the matrix was factorised again";
}

TEST(FoldEvaluator, MixedPrecisionIsCloseToDouble) {
  for (const Folds& folds : kinds_of_folds(120)) {
    SCOPED_TRACE(folds.description);
    Setting s(some_problem(folds), plan_of(20, 1000), in(Precision::mixed));
    const Vector u = s.start();
    accepted(*s.dense, u);
    accepted(*s.iterative, u);
    EXPECT_LT((s.dense->residuals() - s.iterative->residuals()).norm(), 1e-4 * s.dense->residuals().norm());
    const NormalEquations expected = s.dense->normal(tight);
    expect_same_normal_equations(s.iterative->normal(1e-5), expected, 1e-2);
    EXPECT_LT((s.iterative->gradient(tight) - 2 * expected.jtr).norm(), 1e-2 * expected.jtr.norm());
    EXPECT_NEAR(s.iterative->verify(u), s.brute_force(u), 1e-5 * s.brute_force(u));
  }
}

TEST(FoldEvaluator, AFewColumnsAtATimeGiveTheSame) {
  for (const Folds& folds : {Folds::random(80, 5, 3), Folds::holdout(80, 0.4, 3)}) {
    const Problem problem = some_problem(folds);
    Setting all(problem, plan_of(15, 1000));
    const Vector u = all.start();
    accepted(*all.iterative, u);
    const NormalEquations expected = all.iterative->normal(tight);
    for (Index columns : {1, 3, 7, 25}) {
      SCOPED_TRACE(std::to_string(columns) + " columns, " + folds.description);
      Setting few(problem, plan_of(15, columns));
      accepted(*few.iterative, u);
      expect_same_normal_equations(few.iterative->normal(tight), expected, 1e-6);
    }
  }
}

TEST(FoldEvaluator, ACoarseSolveMovesTheResidualsByNoMoreThanAsked) {
  Setting s(some_problem(Folds::random(150, 5, 3)), plan_of(20, 1000));
  const Vector u = s.start();
  accepted(*s.dense, u);
  for (double accuracy : {0.03, 1e-2, 1e-3}) {
    Setting coarse(s.problem, plan_of(20, 1000));
    coarse.iterative->evaluate(u, accuracy);
    coarse.iterative->accept();
    const double moved = (coarse.iterative->residuals() - s.dense->residuals()).norm();
    EXPECT_LT(moved, 3 * accuracy * s.dense->residuals().norm()) << accuracy;
  }
}

TEST(FoldEvaluator, RefiningMovesTowardsTheDenseValue) {
  for (const Folds& folds : kinds_of_folds(150)) {
    SCOPED_TRACE(folds.description);
    Setting s(some_problem(folds, "se(l=1.2) + lp(l=1.1, p=2, s2=0.6)", "0.05"), plan_of(0, 1000));
    const Vector u = s.start();
    const double expected = s.dense->evaluate(u, 0);
    s.dense->accept();
    s.iterative->evaluate(u, 0.1);
    s.iterative->accept();
    const double coarse = (s.iterative->residuals() - s.dense->residuals()).norm();
    const double refined = s.iterative->refine(1e-6);
    EXPECT_NEAR(refined, expected, 1e-4 * expected);
    EXPECT_LT((s.iterative->residuals() - s.dense->residuals()).norm(), 0.1 * coarse);
    EXPECT_EQ(s.dense->refine(1e-6), expected);
    EXPECT_NEAR(refined, s.iterative->residuals().squaredNorm(), 1e-12 * expected);
  }
}

TEST(FoldEvaluator, VerifyingReachesTheDenseValue) {
  for (const Folds& folds : kinds_of_folds(120)) {
    for (Precision precision : {Precision::double_, Precision::mixed}) {
      SCOPED_TRACE(folds.description);
      Setting s(some_problem(folds), plan_of(20, 1000), in(precision));
      const Vector u = s.start();
      const double expected = s.brute_force(u);
      EXPECT_NEAR(s.dense->verify(u), expected, 1e-8 * expected);
      // Verification starts from zero, then from a coarse solution at another point.
      EXPECT_NEAR(s.iterative->verify(u), expected, 1e-5 * expected);
      s.iterative->evaluate(u.array() + 0.2, 0.1);
      s.iterative->accept();
      EXPECT_NEAR(s.iterative->verify(u), expected, 1e-5 * expected);
      EXPECT_LE(s.iterative->residual(), 1e-6);
      EXPECT_LT((s.iterative->residuals() - s.dense->residuals()).norm(), 1e-5 * s.dense->residuals().norm());
    }
  }
}

TEST(FoldEvaluator, WeightsAreZeroWhereAFoldDoesNotTrainAndSolveItsSystem) {
  for (const Folds& folds : kinds_of_folds(60)) {
    Setting s(some_problem(folds));
    const Vector u = s.start();
    EXPECT_EQ(s.iterative->weights().size(), 0);
    accepted(*s.iterative, u);
    accepted(*s.dense, u);
    EXPECT_EQ(s.dense->weights().size(), 0);
    const Matrix z = s.iterative->weights();
    ASSERT_EQ(z.rows(), 60);
    ASSERT_EQ(z.cols(), folds.size());
    for (Index k = 0; k < folds.size(); ++k) {
      const Fold& fold = folds.folds[static_cast<std::size_t>(k)];
      const Vector expected =
          DenseHoldout(Holdout::of(s.problem.x, s.problem.y, fold), kernel_at(s.problem, u), noise_at(s.problem, u))
              .weights();
      EXPECT_LT((z(fold.training, k) - expected).norm(), 1e-6 * expected.norm()) << folds.description;
      EXPECT_EQ(z(fold.validation, k).norm(), 0);
      EXPECT_NEAR(z.col(k).norm(), expected.norm(), 1e-6 * expected.norm());
    }
  }
}

TEST(FoldEvaluator, StartingFromItsOwnWeightsLeavesNextToNothingToIterate) {
  for (const Folds& folds : kinds_of_folds(120)) {
    SCOPED_TRACE(folds.description);
    const Problem problem = some_problem(folds);
    Setting first(problem, plan_of(0, 1000));
    const Vector u = first.start();
    first.iterative->evaluate(u, 1e-4);
    first.iterative->accept();
    const int cold = first.iterative->iterations();
    Setting next(problem, plan_of(0, 1000));
    next.iterative->start_from(first.iterative->weights(), {});
    next.iterative->evaluate(u, 1e-4);
    EXPECT_GT(cold, 10);
    EXPECT_LE(next.work.cg_iterations, cold / 4);
  }
}

TEST(FoldEvaluator, WeightsOfAnotherShapeAreNotUsed) {
  const Problem problem = some_problem(Folds::random(60, 5, 3));
  for (const Matrix& other : {Matrix(Matrix::Ones(59, 5)), Matrix(Matrix::Ones(60, 4)), Matrix()}) {
    Setting s(problem);
    s.iterative->start_from(other, {});
    EXPECT_NEAR(s.iterative->evaluate(s.start(), tight), s.brute_force(s.start()), 1e-6 * s.brute_force(s.start()));
  }
}

TEST(FoldEvaluator, KnownSensitivitiesShortenTheNextSolve) {
  const Problem problem = some_problem(Folds::random(150, 5, 3));
  Setting with(problem, plan_of(0, 1000)), without(problem, plan_of(0, 1000));
  const Vector u = with.start();
  for (FoldEvaluator* error : {with.iterative.get(), without.iterative.get()}) accepted(*error, u);
  with.iterative->normal(1e-3);
  const Vector next = u.array() + 0.01;
  EXPECT_NEAR(with.iterative->evaluate(next, 1e-4), without.iterative->evaluate(next, 1e-4), 1e-3);
  EXPECT_LT(with.iterative->iterations(), without.iterative->iterations());
}

TEST(FoldEvaluator, WorkGrowsWithWhatIsDone) {
  Setting s(some_problem(Folds::random(80, 5, 3)), plan_of(10, 1000));
  const Vector u = s.start();
  s.iterative->evaluate(u, 1e-2);
  const Work coarse = s.work;
  EXPECT_GT(coarse.kernel_passes, 1);
  EXPECT_GT(coarse.cg_iterations, 0);
  EXPECT_GT(coarse.preconditioner_seconds, 0);
  EXPECT_GT(coarse.product_seconds, 0);
  EXPECT_NEAR(coarse.pairs, coarse.kernel_passes * 80 * 80, 1e-6 * coarse.pairs);
  // Products have 5 columns, and a pass of work has 5·(p + 1).
  const auto p = static_cast<double>(u.size());
  EXPECT_LE(coarse.column_passes, coarse.kernel_passes / (p + 1) * (1 + 1e-12));
  s.iterative->accept();
  s.iterative->refine(1e-6);
  EXPECT_GT(s.work.cg_iterations, coarse.cg_iterations);
  const Work before = s.work;
  s.iterative->normal(tight);
  EXPECT_GT(s.work.kernel_passes, before.kernel_passes + 1);
  EXPECT_GT(s.work.column_passes, before.column_passes + 1);
  s.dense->evaluate(u, 0);
  EXPECT_EQ(s.dense_work.kernel_passes, 1);
  EXPECT_EQ(s.dense_work.cg_iterations, 0);

  IterativePlan quarter = plan_of(10, 1000);
  quarter.pass = 1.0 / 16;
  Setting part(s.problem, quarter);
  part.iterative->evaluate(u, 1e-2);
  EXPECT_NEAR(part.work.kernel_passes, coarse.kernel_passes / 16, 1e-12);
  EXPECT_NEAR(part.work.column_passes, coarse.column_passes / 16, 1e-12);
}

TEST(FoldEvaluator, IsInfiniteWhereASolveIsHopelessAndRecovers) {
  Problem problem = some_problem(Folds::random(60, 3, 3), "se(l=3)", "1e-300");
  for (Index i = 0; i < 60; i += 2) problem.x(i + 1, 0) = problem.x(i, 0);
  Setting s(problem, plan_of(0, 1000));
  Vector u = s.start();
  EXPECT_EQ(s.iterative->evaluate(u, 1e-4), std::numeric_limits<double>::infinity());
  u(2) = std::log(0.1);
  EXPECT_NEAR(s.iterative->evaluate(u, tight), s.brute_force(u), 1e-5 * s.brute_force(u));
}

TEST(FoldEvaluator, AStopRequestThrows) {
  ComputeOptions compute;
  compute.stop = [] { return true; };
  Setting s(some_problem(Folds::random(60, 3, 3)), plan_of(0, 1000), compute);
  EXPECT_THROW(s.dense->evaluate(s.start(), 1e-3), Interrupted);
  EXPECT_THROW(s.iterative->evaluate(s.start(), 1e-3), Interrupted);
}

}  // namespace
}  // namespace gpcv
