#include "trainers/gauss_newton/multi_start.hpp"
#include "core/borrowed.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// f(u) = n (floor + (u − lowest)²), whose derivatives may fail.
class ParabolaEvaluator final : public FoldEvaluator {
 public:
  struct Shape {
    double lowest = 0, floor = 1;
    bool finite_derivatives = true, solved = true;
  };
  ParabolaEvaluator(Shape shape, Index rows) : shape_(shape), residuals_(Vector::Zero(rows)) {}

  double evaluate(const Vector& u, double) override {
    u_ = u;
    const double away = u(0) - shape_.lowest;
    return static_cast<double>(residuals_.size()) * (shape_.floor + away * away);
  }
  double verify(const Vector& u) override { return evaluate(u, 0); }
  void accept() override {}
  double refine(double) override { return evaluate(u_, 0); }
  const Vector& residuals() const override { return residuals_; }
  const Vector& trial_residuals() const override { return residuals_; }
  NormalEquations normal(double, const RowLoss&) override {
    const auto n = static_cast<double>(residuals_.size());
    const double slope = shape_.finite_derivatives ? n * (u_(0) - shape_.lowest) : nan;
    return {Matrix::Constant(1, 1, n), Vector::Constant(1, slope), shape_.solved};
  }
  Vector gradient(double, const Vector&) override { return 2 * normal(0, {}).jtr; }
  Vector variances(const VarianceMethod&, Index) override { return residuals_; }
  void stop_when(std::function<bool()>) override {}

 private:
  Shape shape_;
  Vector residuals_, u_;
};

struct Ended {
  std::vector<int> given_up;
  int winner = -1;
  Status status = Status::not_run;
};

Ended follow(const std::vector<ParabolaEvaluator::Shape>& shapes, Index at_once) {
  Problem problem = drawn_problem("se(l=1)", "se(l=1, s2=1:fixed)", "0.1:fixed", 30, 3);
  problem.folds = Folds::random(30, 3, 1);
  TrainOptions options;
  options.prior = 0;
  ExecutionPlan plan;
  plan.concurrent_starts = at_once;
  Ended ended;
  std::size_t made = 0;
  MultiStart starts(borrowed<const Problem>(problem), plan, options,
                    {[](const Descent&) { return true; },
                     [&](const DescentState& run, Status) { ended.given_up.push_back(run.restart); }, [] {}},
                    [&] { return std::make_unique<ParabolaEvaluator>(shapes[made++ % shapes.size()], 30); });
  std::vector<DescentState> runs(shapes.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].restart = static_cast<int>(i);
    runs[i].start = runs[i].theta = Vector::Constant(1, 0.5);
    runs[i].objective = nan;
  }
  EXPECT_TRUE(starts.run(std::move(runs), nullptr));
  if (starts.winner() != nullptr) {
    ended.winner = starts.winner()->state().restart;
    ended.status = starts.winner()->status();
  }
  return ended;
}

TEST(MultiStart, ARunWhoseDerivativesFailDoesNotWin) {
  for (const Index at_once : {3, 1}) {
    for (const double floor : {1.0, 100.0}) {
      // The first run begins at the lowest error and cannot take a step.
      const Ended ended = follow({{.floor = 0.5, .finite_derivatives = false}, {.floor = floor}}, at_once);
      EXPECT_EQ(ended.winner, 1) << at_once << " at once, " << floor;
      EXPECT_EQ(ended.status, Status::converged);
      EXPECT_EQ(ended.given_up, std::vector<int>{0});
    }
  }
}

TEST(MultiStart, WhereAllDerivativesFailTheBestStartIsKeptAndSaysSo) {
  const Ended ended =
      follow({{.floor = 1, .finite_derivatives = false}, {.floor = 0.5, .finite_derivatives = false}}, 3);
  EXPECT_EQ(ended.winner, 1);
  EXPECT_EQ(ended.status, Status::numerical_failure);
}

TEST(MultiStart, ConvergenceIsNotClaimedWhereSensitivitiesWereNotSolved) {
  EXPECT_EQ(follow({{.lowest = 0.5}}, 1).status, Status::converged);
  EXPECT_EQ(follow({{.lowest = 0.5, .solved = false}}, 1).status, Status::max_iterations);
}

}  // namespace
}  // namespace gpcv
