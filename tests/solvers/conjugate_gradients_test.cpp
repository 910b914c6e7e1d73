#include "solvers/conjugate_gradients.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "solvers/host_vectors.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "support/dense_folds.hpp"

namespace gpcv {
namespace {

/// Stored matrices; `fast` products are rounded to single precision.
class DenseSystem final : public LinearSystem {
 public:
  DenseSystem(std::vector<Matrix> a, bool rounds) : a_(std::move(a)), rounds_(rounds) {}
  Index rows() const override { return a_[0].rows(); }
  Index systems() const override { return static_cast<Index>(a_.size()); }
  bool has_fast_arithmetic() const override { return rounds_; }
  void apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const override {
    widest = std::max(widest, v.cols());
    for (Index c = 0; c < v.cols(); ++c) {
      const Matrix& a = a_[static_cast<std::size_t>(system[static_cast<std::size_t>(c)])];
      if (rounds_ && arithmetic == Arithmetic::fast) {
        y.col(c) = (a.cast<float>() * v.col(c).cast<float>()).cast<double>();
      } else {
        y.col(c) = a * v.col(c);
      }
      columns += 1;
    }
  }
  mutable Index widest = 0, columns = 0;

 private:
  std::vector<Matrix> a_;
  bool rounds_;
};

double worst_residual(const std::vector<Matrix>& a, const std::vector<int>& of, const Matrix& b, const Matrix& x) {
  double worst = 0;
  for (Index c = 0; c < b.cols(); ++c) {
    const Vector r = b.col(c) - a[static_cast<std::size_t>(of[static_cast<std::size_t>(c)])] * x.col(c);
    worst = std::max(worst, r.norm() / b.col(c).norm());
  }
  return worst;
}

TEST(ConjugateGradients, SolvesDifferentMatricesInOneBatch) {
  Random random(121);
  std::vector<Matrix> a;
  for (double condition : {2.0, 50.0, 1000.0}) a.push_back(with_condition(random, 60, condition));
  const DenseSystem system(a, false);
  const std::vector<int> of{0, 0, 1, 2, 2};
  const Matrix b = random_inputs(random, 60, 5);
  Matrix x = Matrix::Zero(60, 5);
  const CgSummary summary = solve_cg(system, nullptr, b, of, x, {.tolerance = 1e-8});
  EXPECT_EQ(summary.status, Status::converged);
  EXPECT_LE(summary.residual, 1e-8);
  EXPECT_NEAR(summary.residual, worst_residual(a, of, b, x), 1e-12);
  EXPECT_EQ(summary.fast_passes, 0);
}

TEST(ConjugateGradients, ColumnsThatConvergedLeaveTheBatch) {
  Random random(122);
  const std::vector<Matrix> a{Matrix::Identity(80, 80), with_condition(random, 80, 1e4)};
  const DenseSystem system(a, false);
  const std::vector<int> of{0, 1, 0, 0};
  const Matrix b = random_inputs(random, 80, 4);
  Matrix x = Matrix::Zero(80, 4);
  const CgSummary summary = solve_cg(system, nullptr, b, of, x, {.tolerance = 1e-6});
  EXPECT_EQ(summary.status, Status::converged);
  // One product with four columns, one check with four, all others with one.
  EXPECT_LE(system.columns, 4 * 3 + (summary.iterations + 2));
  EXPECT_GT(summary.iterations, 30);
}

TEST(ConjugateGradients, SinglePrecisionReachesDoublesResidualByRefinement) {
  Random random(123);
  const std::vector<Matrix> a{with_condition(random, 100, 300)};
  const DenseSystem system(a, true);
  const Matrix b = random_inputs(random, 100, 3);
  Matrix x = Matrix::Zero(100, 3);
  const CgSummary summary = solve_cg(system, nullptr, b, std::vector<int>{0, 0, 0}, x, {.tolerance = 1e-10});
  EXPECT_EQ(summary.status, Status::converged);
  EXPECT_LE(worst_residual(a, {0, 0, 0}, b, x), 1e-10);
  EXPECT_FALSE(summary.returned_to_double);
  EXPECT_GT(summary.fast_passes, 3 * summary.exact_passes);
}

TEST(ConjugateGradients, StagnationInSingleReturnsToDouble) {
  Random random(124);
  const std::vector<Matrix> a{with_condition(random, 60, 3e8)};
  const DenseSystem system(a, true);
  const Matrix b = random_inputs(random, 60, 1);
  Matrix x = Matrix::Zero(60, 1);
  const CgSummary summary =
      solve_cg(system, nullptr, b, std::vector<int>{0}, x, {.tolerance = 1e-6, .max_iterations = 20'000});
  EXPECT_TRUE(summary.returned_to_double);
  EXPECT_EQ(summary.status, Status::converged);
  EXPECT_LE(worst_residual(a, {0}, b, x), 1e-6);
}

TEST(ConjugateGradients, SaysHowFarItGotWhenTheBudgetRanOut) {
  Random random(125);
  const std::vector<Matrix> a{with_condition(random, 100, 1e6)};
  const DenseSystem system(a, false);
  const Matrix b = random_inputs(random, 100, 1);
  Matrix x = Matrix::Zero(100, 1);
  const CgSummary summary =
      solve_cg(system, nullptr, b, std::vector<int>{0}, x, {.tolerance = 1e-8, .max_iterations = 10});
  EXPECT_EQ(summary.status, Status::max_iterations);
  EXPECT_EQ(summary.iterations, 10);
  EXPECT_NEAR(summary.residual, worst_residual(a, {0}, b, x), 1e-10);
  EXPECT_GT(summary.residual, 1e-8);
}

TEST(ConjugateGradients, AGoodStartSavesIterations) {
  Random random(126);
  const std::vector<Matrix> a{with_condition(random, 100, 1e3)};
  const DenseSystem system(a, false);
  const Matrix b = random_inputs(random, 100, 1);
  const Vector solution = a[0].llt().solve(b);
  Matrix cold = Matrix::Zero(100, 1), warm = solution + 1e-5 * random_inputs(random, 100, 1), done = solution;
  const std::vector<int> of{0};
  const auto from_zero = solve_cg(system, nullptr, b, of, cold, {.tolerance = 1e-6});
  const auto from_near = solve_cg(system, nullptr, b, of, warm, {.tolerance = 1e-6});
  EXPECT_LT(from_near.iterations, from_zero.iterations);
  EXPECT_EQ(solve_cg(system, nullptr, b, of, done, {.tolerance = 1e-6}).iterations, 0);
}

TEST(ConjugateGradients, ZeroRightHandSidesHaveZeroSolutions) {
  const DenseSystem system({Matrix::Identity(5, 5)}, false);
  Matrix b = Matrix::Zero(5, 2), x = Matrix::Ones(5, 2);
  b.col(1).setOnes();
  const CgSummary summary = solve_cg(system, nullptr, b, std::vector<int>{0, 0}, x, {});
  EXPECT_EQ(summary.status, Status::converged);
  EXPECT_EQ(x.col(0), Vector::Zero(5));
  EXPECT_LT((x.col(1) - Vector::Ones(5)).norm(), 1e-12);
  Matrix none(5, 0);
  EXPECT_EQ(solve_cg(system, nullptr, none, {}, none, {}).status, Status::converged);
}

TEST(ConjugateGradients, StopsWhenAsked) {
  Random random(127);
  const DenseSystem system({with_condition(random, 100, 1e6)}, false);
  const Matrix b = random_inputs(random, 100, 1);
  Matrix x = Matrix::Zero(100, 1);
  CgOptions options{.tolerance = 1e-10};
  options.progress = [](int iteration, double) { return iteration < 5; };
  const CgSummary summary = solve_cg(system, nullptr, b, std::vector<int>{0}, x, options);
  EXPECT_EQ(summary.status, Status::stopped);
  EXPECT_EQ(summary.iterations, 5);
}

TEST(ConjugateGradients, NanIsAFailureNotALoop) {
  const DenseSystem system({Matrix::Constant(5, 5, std::nan(""))}, false);
  Matrix x = Matrix::Zero(5, 1);
  const CgSummary summary = solve_cg(system, nullptr, Matrix::Ones(5, 1), std::vector<int>{0}, x, {});
  EXPECT_EQ(summary.status, Status::numerical_failure);
}

TEST(ConjugateGradients, ARightHandSideThatIsNotFiniteIsAFailure) {
  const DenseSystem system({Matrix::Identity(5, 5)}, false);
  const auto expect_failure = [&](double value, const CgOptions& options) {
    Matrix b = Matrix::Ones(5, 2), x = Matrix::Zero(5, 2);
    b(3, 1) = value;
    const CgSummary summary = solve_cg(system, nullptr, b, std::vector<int>{0, 0}, x, options);
    EXPECT_EQ(summary.status, Status::numerical_failure) << value;
    EXPECT_FALSE(summary.residual <= 1) << value;
  };
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    expect_failure(value, {});
    expect_failure(value, {.verify = false});
    expect_failure(value, {.tolerance = 0, .step_tolerance = 1e-3});
  }
}

/// z = factor · r
class Scaled final : public Preconditioner {
 public:
  explicit Scaled(double factor) : factor_(factor) {}
  void apply(ConstView r, std::span<const int>, View z) const override { z = factor_ * r; }

 private:
  double factor_;
};

TEST(ConjugateGradients, APreconditionerThatIsNotPositiveDefiniteIsAFailure) {
  Random random(130);
  const DenseSystem system({with_condition(random, 20, 10)}, false);
  const Matrix b = random_inputs(random, 20, 1);
  for (const double factor : {-1.0, std::nan("")}) {
    const Scaled preconditioner(factor);
    for (const bool verify : {false, true}) {
      for (const bool natural : {false, true}) {
        Matrix x = Matrix::Zero(20, 1);
        const CgSummary summary = solve_cg(system, &preconditioner, b, std::vector<int>{0}, x,
                                           {.tolerance = 1e-8, .natural_norm = natural, .verify = verify});
        // −M gives the same steps as M; only a norm cannot be made of it.
        const bool same_steps = factor == -1 && !natural;
        EXPECT_EQ(summary.status, same_steps ? Status::converged : Status::numerical_failure) << factor << natural;
      }
    }
  }
}

TEST(ConjugateGradients, AMatrixThatIsNotPositiveDefiniteIsAFailure) {
  const Vector diagonal = Eigen::Vector4d(1, -3, 2, -1);
  const DenseSystem system({Matrix(diagonal.asDiagonal())}, false);
  for (const CgOptions& options : {CgOptions{}, CgOptions{.verify = false}, CgOptions{.step_tolerance = 1e-3}}) {
    Matrix x = Matrix::Zero(4, 1);
    const CgSummary summary = solve_cg(system, nullptr, Matrix::Ones(4, 1), std::vector<int>{0}, x, options);
    EXPECT_EQ(summary.status, Status::numerical_failure);
    EXPECT_TRUE(x.allFinite());
  }
}

/// Vectors of a device that runs out of memory at the product of this number.
class ScarceVectors final : public CgVectors {
 public:
  ScarceVectors(const LinearSystem& a, const Preconditioner* m, int fails_at)
      : host_(a, m, Arithmetic::exact, 1), fails_at_(fails_at) {}
  Vector start(ConstView r, std::span<const int> system, View x, std::span<const Index> target) override {
    if (fails_at_ == 0) throw OutOfDeviceMemory("no room to start");
    return host_.start(r, system, x, target);
  }
  Vector multiply() override {
    if (--fails_at_ == 0) throw OutOfDeviceMemory("no room for a product");
    return host_.multiply();
  }
  Norms advance(const Vector& alpha) override { return host_.advance(alpha); }
  Vector precondition() override { return host_.precondition(); }
  void turn(const Vector& beta) override { host_.turn(beta); }
  void keep(const std::vector<Index>& columns) override { host_.keep(columns); }
  void finish() override { host_.finish(); }

 private:
  HostVectors host_;
  int fails_at_;
};

/// A dense system whose space has little room.
class ScarceSystem final : public LinearSystem, public Space {
 public:
  ScarceSystem(const DenseSystem& a, int fails_at) : a_(a), fails_at_(fails_at) {}
  Index rows() const override { return a_.rows(); }
  Index systems() const override { return a_.systems(); }
  bool has_fast_arithmetic() const override { return false; }
  void apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const override {
    a_.apply(v, system, y, arithmetic);
  }
  const Space* space(Arithmetic) const override { return this; }
  std::unique_ptr<LowRankFactor> low_rank(const FoldParts&, Index) const override { return nullptr; }
  std::unique_ptr<CgVectors> vectors(const Preconditioner* m, Index) const override {
    if (fails_at_ < 0) throw OutOfDeviceMemory("no room for vectors");
    return std::make_unique<ScarceVectors>(*this, m, fails_at_);
  }

 private:
  const DenseSystem& a_;
  int fails_at_;
};

TEST(ConjugateGradients, ADeviceWithoutMemoryLeavesTheSolveToTheHost) {
  Random random(131);
  const std::vector<Matrix> a{with_condition(random, 60, 100)};
  const DenseSystem dense(a, false);
  const Matrix b = random_inputs(random, 60, 2);
  const std::vector<int> of{0, 0};
  for (const CgOptions& options : {CgOptions{.tolerance = 1e-8}, CgOptions{.tolerance = 1e-8, .verify = false},
                                   CgOptions{.tolerance = 0, .step_tolerance = 1e-9}}) {
    for (const int fails_at : {-1, 0, 1, 5}) {
      const ScarceSystem system(dense, fails_at);
      Matrix x = Matrix::Zero(60, 2);
      const CgSummary summary = solve_cg(system, nullptr, b, of, x, options);
      EXPECT_EQ(summary.status, Status::converged) << fails_at;
      EXPECT_TRUE(summary.returned_to_host) << fails_at;
      EXPECT_LE(worst_residual(a, of, b, x), 1.1e-8) << fails_at;
    }
    const ScarceSystem system(dense, 1000);
    Matrix x = Matrix::Zero(60, 2);
    EXPECT_FALSE(solve_cg(system, nullptr, b, of, x, options).returned_to_host);
  }
}

TEST(ConjugateGradients, WithoutVerifyingItTrustsTheRecurrence) {
  Random random(128);
  const std::vector<Matrix> a{with_condition(random, 100, 100)};
  const DenseSystem system(a, false);
  const Matrix b = random_inputs(random, 100, 1);
  Matrix x = Matrix::Zero(100, 1);
  const CgSummary summary = solve_cg(system, nullptr, b, std::vector<int>{0}, x, {.tolerance = 1e-4, .verify = false});
  EXPECT_EQ(summary.status, Status::converged);
  EXPECT_EQ(summary.exact_passes, summary.iterations);
  EXPECT_LE(worst_residual(a, {0}, b, x), 1e-4);
}

}  // namespace
}  // namespace gpcv
