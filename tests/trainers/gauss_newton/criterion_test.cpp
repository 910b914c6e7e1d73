#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "gpcv/posterior.hpp"
#include "support/gauss_newton_runs.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

TrainOptions by(Criterion criterion, Solver solver = Solver::automatic) {
  TrainOptions options = exact(solver);
  options.gauss_newton.criterion = criterion;
  return options;
}

/// Mean squared distance of the function that is conditioned on all rows from the truth before outliers.
double distance_from_truth(const Problem& problem, const TrainResult& result, const Vector& truth) {
  Problem end = problem;
  end.kernel = result.kernel;
  end.noise.variance = result.noise;
  const Vector weights = posterior_weights(end, {});
  // y − σ² C⁻¹y is the mean at the training rows.
  const Vector mean = problem.y - result.noise * weights;
  return (mean - truth).squaredNorm() / static_cast<double>(truth.size());
}

TEST(Criterion, EveryCriterionTrainsByEitherSolver) {
  for (const Criterion criterion : {Criterion::crps, Criterion::log}) {
    const Problem problem = folded("se", "0.1", 120, 9);
    const TrainResult dense = train(problem, by(criterion, Solver::cholesky)),
                      iterative = train(problem, by(criterion, Solver::cg));
    for (const TrainResult& result : {dense, iterative}) {
      expect_usable(result, problem);
      EXPECT_EQ(result.status, Status::converged) << result.message;
      EXPECT_EQ(result.standard_errors.size(), 2u);
      for (const auto& [name, error] : result.standard_errors) EXPECT_GT(error, 0) << name;
    }
    // 120 rows have all their neighbours within 64, or nearly so.
    EXPECT_LT((log_theta(problem, dense) - log_theta(problem, iterative)).cwiseAbs().maxCoeff(), 0.1);
  }
}

TEST(Criterion, CrpsResistsOutliers) {
  double squared = 0, crps = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Problem problem = folded("se", "0.1", 150, seed);
    const Vector clean = problem.y;
    Random random(seed);
    for (Index i = 0; i < problem.y.size(); ++i) {
      if (random.uniform() < 0.06) problem.y(i) += 8 * random.normal();
    }
    TrainOptions options = by(Criterion::squared);
    squared += distance_from_truth(problem, train(problem, options), clean);
    options.gauss_newton.criterion = Criterion::crps;
    crps += distance_from_truth(problem, train(problem, options), clean);
  }
  EXPECT_LT(crps, squared);
}

TEST(Criterion, AdjointDerivativesReachTheSameLoss) {
  const Problem problem = folded("se", "0.1", 120, 5);
  TrainOptions options = by(Criterion::crps, Solver::cg);
  const TrainResult forward = train(problem, options);
  options.gauss_newton.derivatives = Derivatives::adjoint;
  const TrainResult adjoint = train(problem, options);
  EXPECT_NEAR(adjoint.objective, forward.objective, 2e-2 * forward.objective);
}

TEST(Criterion, GoesOnFromEveryCheckpoint) {
  const Problem problem = folded("se(l=3, s2=1)", "1", 120, 9);
  for (const Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = by(Criterion::crps, solver);
    std::vector<TrainingState> states;
    options.checkpoint = [&](const TrainingState& state) { states.push_back(state); };
    const TrainResult whole = train(problem, options);
    options.checkpoint = {};
    int in_rounds = 0;
    for (const TrainingState& state : states) {
      if (state.of<GaussNewtonState>().criterion_rounds > 0) ++in_rounds;
      options.resume = std::make_shared<TrainingState>(state);
      const TrainResult resumed = train(problem, options);
      EXPECT_EQ(resumed.status, whole.status) << resumed.message;
      // The rounds before the last end near their optimum, not at it.
      EXPECT_LT((log_theta(problem, resumed) - log_theta(problem, whole)).cwiseAbs().maxCoeff(), 0.1);
      EXPECT_EQ(resumed.standard_errors.size(), whole.standard_errors.size());
    }
    EXPECT_GT(in_rounds, 0);
  }
}

TEST(Criterion, DataWithoutErrorEndInSquares) {
  Problem problem = folded("se", "0.1:fixed", 60, 3);
  problem.y.setZero();
  EXPECT_EQ(train(problem, by(Criterion::crps)).status, Status::converged);
}

}  // namespace
}  // namespace gpcv
