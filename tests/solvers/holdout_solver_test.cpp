#include "solvers/holdout_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "gpcv/error.hpp"
#include "solvers/preconditioner/pivoted_cholesky.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

struct Split {
  Split(Random& random, const std::string& text, Index training, Index validation, Index d, double noise,
        const ComputeOptions& options = {})
      : data(random_holdout(random, training, validation, d)),
        kernel(Kernel::parse(text).bind(d)),
        dense(data, kernel, noise),
        system(std::make_shared<HoldoutSystem>(data, kernel.lower(), noise, options)) {}

  Holdout data;
  Kernel kernel;
  DenseHoldout dense;
  std::shared_ptr<const HoldoutSystem> system;
};

double worst_residual(const Matrix& a, const Matrix& b, const Matrix& x) {
  return ((b - a * x).colwise().norm().array() / b.colwise().norm().array()).maxCoeff();
}

TEST(HoldoutSolver, CovarianceSolvesMatchCholesky) {
  Random random(211);
  for (const char* text : {"se(l=0.7)", "lp(l=1, p=0.9)", "matern12(l=2) + se(l=0.3)"}) {
    Split split(random, text, 130, 40, 1, 0.05);
    const Matrix b = random_inputs(random, 130, 4);
    const Matrix expected = split.dense.c.llt().solve(b);
    for (Index rank : {0, 25, 130, 500}) {
      HoldoutSolver solver(rank, {});
      Matrix x = Matrix::Zero(130, 4);
      if (rank > 0) solver.precondition(split.system);
      const CgSummary summary = solver.solve_covariance(*split.system, b, x, 1e-10);
      EXPECT_EQ(summary.status, Status::converged) << text << ", rank " << rank;
      EXPECT_LE(worst_residual(split.dense.c, b, x), 1e-9);
      EXPECT_LT((x - expected).norm(), 1e-7 * expected.norm()) << text << ", rank " << rank;
    }
  }
}

TEST(HoldoutSolver, SigmaSolvesMatchCholesky) {
  Random random(212);
  for (const char* text : {"se(l=0.7)", "lp(l=1, p=0.9)", "matern12(l=2) + se(l=0.3)"}) {
    Split split(random, text, 110, 50, 1, 0.2);
    const Matrix b = random_inputs(random, 110, 3);
    for (double rho : {0.1, 5.0, 200.0}) {
      const Matrix sigma = split.dense.sigma(rho), expected = sigma.llt().solve(b);
      for (Index rank : {0, 40}) {
        HoldoutSolver solver(rank, {});
        solver.precondition(split.system);
        Matrix x = Matrix::Zero(110, 3);
        const CgSummary summary =
            solver.solve_sigma(*split.system, rho, b, x, {.tolerance = 1e-10, .max_iterations = 5000});
        EXPECT_EQ(summary.status, Status::converged) << text << ", rank " << rank << ", rho " << rho;
        EXPECT_LE(worst_residual(sigma, b, x), 1e-9);
        EXPECT_LT((x - expected).norm(), 1e-6 * expected.norm()) << text << ", rank " << rank << ", rho " << rho;
      }
    }
  }
}

TEST(HoldoutSolver, MixedPrecisionReachesTheResidualOfDouble) {
  Random random(213);
  Split split(random, "se(l=0.5) + matern32(l=1)", 160, 60, 2, 0.1, {.precision = Precision::mixed});
  HoldoutSolver solver(40, {.precision = Precision::mixed});
  solver.precondition(split.system);
  const Matrix b = random_inputs(random, 160, 2);
  Matrix x = Matrix::Zero(160, 2), s = x;
  const CgSummary covariance = solver.solve_covariance(*split.system, b, x, 1e-8);
  EXPECT_EQ(covariance.status, Status::converged);
  EXPECT_GT(covariance.fast_passes, 0);
  EXPECT_LE(worst_residual(split.dense.c, b, x), 1.1e-8);
  const CgSummary sigma = solver.solve_sigma(*split.system, 10, b, s, {.tolerance = 1e-8});
  EXPECT_EQ(sigma.status, Status::converged);
  EXPECT_LE(worst_residual(split.dense.sigma(10), b, s), 1.1e-8);
}

TEST(HoldoutSolver, ThePreconditionerOfAnotherThetaStillServes) {
  Random random(214);
  Split split(random, "se(l=0.5)", 200, 100, 1, 0.01);
  const auto moved = std::make_shared<HoldoutSystem>(split.data, Kernel::parse("se(l=0.52)").bind(1).lower(), 0.0105,
                                                     ComputeOptions{});
  HoldoutSolver plain(0, {}), old(60, {});
  old.precondition(moved);
  const Matrix b = random_inputs(random, 200, 2), sigma = split.dense.sigma(10);
  Matrix x = Matrix::Zero(200, 2), y = x;
  const CgOptions how{.tolerance = 1e-8, .max_iterations = 20'000};
  const CgSummary without = plain.solve_sigma(*split.system, 10, b, x, how);
  const CgSummary with = old.solve_sigma(*split.system, 10, b, y, how);
  EXPECT_EQ(with.status, Status::converged);
  EXPECT_LT(with.iterations, without.iterations / 4);
  EXPECT_LE(worst_residual(sigma, b, y), 1.1e-8);
}

TEST(HoldoutSolver, StartsFromWhatItIsGiven) {
  Random random(215);
  Split split(random, "se(l=0.7)", 100, 30, 1, 0.1);
  const Matrix b = random_inputs(random, 100, 1);
  const HoldoutSolver solver(0, {});
  Matrix c_solution = split.dense.c.llt().solve(b), s_solution = split.dense.sigma(2).llt().solve(b);
  EXPECT_EQ(solver.solve_covariance(*split.system, b, c_solution, 1e-8).iterations, 0);
  EXPECT_EQ(solver.solve_sigma(*split.system, 2, b, s_solution, {.tolerance = 1e-8}).iterations, 0);
}

TEST(HoldoutSolver, AStopRequestThrows) {
  Random random(216);
  Split split(random, "se(l=0.7)", 150, 50, 1, 1e-4);
  int asked = 0;
  ComputeOptions options;
  options.stop = [&] { return ++asked >= 3; };
  const HoldoutSolver solver(0, options);
  const Matrix b = random_inputs(random, 150, 1);
  Matrix x = Matrix::Zero(150, 1);
  EXPECT_THROW(solver.solve_covariance(*split.system, b, x, 1e-10), Interrupted);
  EXPECT_EQ(asked, 3);
  asked = 0;
  x.setZero();
  EXPECT_THROW(solver.solve_sigma(*split.system, 1, b, x, {.tolerance = 1e-10}), Interrupted);
  EXPECT_EQ(asked, 3);
}

TEST(HoldoutSolver, SaysWhenItDidNotGetThere) {
  Random random(217);
  Split split(random, "se(l=2)", 150, 50, 1, 1e-5);
  const HoldoutSolver solver(0, {});
  const Matrix b = random_inputs(random, 150, 1);
  Matrix x = Matrix::Zero(150, 1);
  const CgSummary summary = solver.solve_sigma(*split.system, 1, b, x, {.tolerance = 1e-10, .max_iterations = 7});
  EXPECT_EQ(summary.status, Status::max_iterations);
  EXPECT_EQ(summary.iterations, 7);
  EXPECT_TRUE(x.allFinite());
}

/// Stored matrices; `fast` products are rounded to single precision.
class Stored final : public LinearSystem {
 public:
  Stored(Matrix a, bool rounds) : a_(std::move(a)), rounds_(rounds) {}
  Index rows() const override { return a_.rows(); }
  Index systems() const override { return 1; }
  bool has_fast_arithmetic() const override { return rounds_; }
  void apply(ConstView v, std::span<const int>, View y, Arithmetic arithmetic) const override {
    if (rounds_ && arithmetic == Arithmetic::fast) {
      y = (a_.cast<float>() * v.cast<float>()).cast<double>();
    } else {
      y = a_ * v;
    }
  }

 private:
  Matrix a_;
  bool rounds_;
};

/// Solves, and gives ‖Δx‖ of every column at every iteration.
CgSummary solve_and_watch(const LinearSystem& a, const Matrix& b, Matrix& x, CgOptions options, Matrix& steps) {
  Matrix before = x;
  steps.resize(0, b.cols());
  options.progress = [&](int, double) {
    steps.conservativeResize(steps.rows() + 1, Eigen::NoChange);
    steps.bottomRows(1) = (x - before).colwise().norm();
    before = x;
    return true;
  };
  return solve_cg(a, nullptr, b, std::vector<int>(static_cast<std::size_t>(b.cols()), 0), x, options);
}

TEST(StepTolerance, EndsAtTheFirstStepThatIsSmallEnough) {
  Random random(218);
  const Stored system(with_condition(random, 80, 500), false);
  const Matrix b = random_inputs(random, 80, 1);
  int previous = 0;
  for (double tolerance : {1e-2, 1e-3, 1e-5}) {
    Matrix x = Matrix::Zero(80, 1), steps;
    const CgSummary summary = solve_and_watch(system, b, x, {.tolerance = 0, .step_tolerance = tolerance}, steps);
    EXPECT_EQ(summary.status, Status::converged);
    ASSERT_EQ(steps.rows(), summary.iterations);
    ASSERT_GT(summary.iterations, 1);
    EXPECT_LE(steps(steps.rows() - 1, 0), tolerance);
    EXPECT_GT(steps.topRows(steps.rows() - 1).minCoeff(), tolerance);
    EXPECT_GT(summary.iterations, previous);
    previous = summary.iterations;
  }
}

TEST(StepTolerance, EachColumnEndsByItsOwnSteps) {
  Random random(219);
  const Stored system(with_condition(random, 80, 500), false);
  Matrix b = random_inputs(random, 80, 3);
  b.col(1) *= 1e-3;
  b.col(2) *= 1e3;
  Matrix x = Matrix::Zero(80, 3), steps;
  const CgSummary summary = solve_and_watch(system, b, x, {.tolerance = 0, .step_tolerance = 1e-4}, steps);
  EXPECT_EQ(summary.status, Status::converged);
  std::vector<Index> moves;
  for (Index c = 0; c < 3; ++c) {
    Index last = 0;
    while (last < steps.rows() && steps(last, c) > 1e-4) ++last;
    ASSERT_LT(last, steps.rows());
    EXPECT_EQ(steps.col(c).tail(steps.rows() - last - 1).sum(), 0) << "column " << c << " moved after a small step";
    moves.push_back(last);
  }
  EXPECT_LT(moves[1], moves[0]);
  EXPECT_LT(moves[0], moves[2]);
}

TEST(StepTolerance, HoldsInSinglePrecisionToo) {
  Random random(220);
  const Stored system(with_condition(random, 80, 300), true);
  const Matrix b = random_inputs(random, 80, 1);
  Matrix x = Matrix::Zero(80, 1), steps;
  const CgSummary summary = solve_and_watch(system, b, x, {.tolerance = 0, .step_tolerance = 1e-6}, steps);
  EXPECT_EQ(summary.status, Status::converged);
  EXPECT_LE(steps(steps.rows() - 1, 0), 1e-6) << "it ended after " << summary.iterations << " iterations";
}

TEST(StepTolerance, ARelativeResidualOrTheBudgetEndsItEarlier) {
  Random random(221);
  const Matrix a = with_condition(random, 80, 500);
  const Stored system(a, false);
  const Matrix b = random_inputs(random, 80, 1);
  Matrix x = Matrix::Zero(80, 1), steps;
  const CgSummary by_residual = solve_and_watch(system, b, x, {.tolerance = 1e-2, .step_tolerance = 1e-12}, steps);
  EXPECT_EQ(by_residual.status, Status::converged);
  EXPECT_LE(worst_residual(a, b, x), 1e-2);
  EXPECT_GT(steps(steps.rows() - 1, 0), 1e-12);
  x.setZero();
  const CgSummary by_budget =
      solve_and_watch(system, b, x, {.tolerance = 0, .max_iterations = 4, .step_tolerance = 1e-12}, steps);
  EXPECT_EQ(by_budget.status, Status::max_iterations);
  EXPECT_EQ(by_budget.iterations, 4);
}

TEST(StepTolerance, OfZeroIsNone) {
  Random random(222);
  const Matrix a = with_condition(random, 60, 100);
  const Stored system(a, false);
  const Matrix b = random_inputs(random, 60, 1);
  Matrix x = Matrix::Zero(60, 1), steps;
  EXPECT_EQ(solve_and_watch(system, b, x, {.tolerance = 1e-10}, steps).status, Status::converged);
  EXPECT_LE(worst_residual(a, b, x), 1e-10);
}

TEST(PivotedCholesky, StopsWhenWhatIsLeftIsEnough) {
  Random random(223);
  const Matrix x = random_inputs(random, 400, 2);
  for (const char* text : {"se(l=0.7)", "matern32(l=1)", "se(ard) * matern52(l=2)"}) {
    const KernelProgram program = Kernel::parse(text).bind(2).lower();
    const Matrix k = dense_kernel(program, x, 1);
    Index previous = 401;
    for (double part : {1e-4, 1e-2, 0.5}) {
      const double enough = part * k.trace();
      const Matrix f = pivoted_cholesky(program, x, 400, 1, 2, enough);
      const double left = (k - f * f.transpose()).trace();
      EXPECT_LE(left, enough * (1 + 1e-9)) << text;
      EXPECT_LE(f.cols(), previous) << text;
      previous = f.cols();
    }
    EXPECT_LT(previous, 100) << text;
    // Without it, or with a rank that is reached first, nothing ends early.
    EXPECT_GT(pivoted_cholesky(program, x, 400, 1, 2).cols(), previous) << text;
    const Matrix short_of = pivoted_cholesky(program, x, 5, 1, 2, 1e-6 * k.trace());
    EXPECT_EQ(short_of.cols(), 5) << text;
    EXPECT_GT((k - short_of * short_of.transpose()).trace(), 1e-6 * k.trace()) << text;
    EXPECT_EQ(pivoted_cholesky(program, x, 400, 1, 2, 1.01 * k.trace()).cols(), 0) << text;
  }
}

}  // namespace
}  // namespace gpcv
