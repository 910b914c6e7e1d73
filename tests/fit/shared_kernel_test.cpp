// Several targets with one kernel: θ is that of the summed loss, and every target has a model of its own.
#include "fit/shared_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "backends/dense_kernel.hpp"
#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/targets.hpp"
#include "model/design.hpp"
#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"
#include "support/message_of.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

constexpr double noise_variance = 0.05;
const Kernel truth = Kernel::parse("se(ard, l=[0.4, 1.2])").bind(2);

std::vector<std::string> names_of(Index targets) {
  std::vector<std::string> names;
  for (Index j = 0; j < targets; ++j) names.push_back("y" + std::to_string(j));
  return names;
}

/// Draws of one process at n random points of two inputs, each with its own unit and mean.
std::vector<Dataset> drawn(Index n, Index targets, std::uint64_t seed) {
  Random random(seed);
  Dataset inputs{Matrix(n, 2), Vector(), {}};
  for (double& v : inputs.x.reshaped()) v = random.uniform(-1, 1);
  inputs.columns.features = {"a", "b"};
  inputs.columns.feature_indices = {0, 1};
  const Matrix k = dense_kernel(truth.lower(), inputs.x, 1) + noise_variance * Matrix::Identity(n, n);
  Matrix z(n, targets);
  for (double& v : z.reshaped()) v = random.normal();
  Matrix y = k.llt().matrixL() * z;
  for (Index j = 0; j < targets; ++j) y.col(j) = (y.col(j).array() + static_cast<double>(j)) * std::pow(10.0, j % 3);
  return split_targets(inputs, y, names_of(targets));
}

FitOptions options_of(const std::string& kernel = "se(ard)") {
  FitOptions options;
  options.kernel = Kernel::parse(kernel);
  options.train.compute.threads = 1;
  options.importance = false;
  return options;
}

/// Options whose training minimises the squared error alone.
FitOptions least_squares() {
  FitOptions options = options_of();
  options.train.gauss_newton.criterion = Criterion::squared;
  options.train.gauss_newton.tolerance = 1e-7;
  options.train.prior = 0;
  return options;
}

std::vector<FitResult> shared(const std::vector<Dataset>& targets, const FitOptions& options) {
  return fit_shared_kernel(targets, options, {}, {}, {});
}

/// log θ of a model without its scale: the lengths, then the ratio of noise to signal.
Vector shape_of_model(const Model& model) {
  Vector shape(3);
  double variance = 1;
  Index at = 0;
  for (const Parameter& p : model.kernel.parameters()) {
    if (p.role == Role::variance) variance = p.value;
    if (p.role == Role::length_scale) shape(at++) = std::log(p.value);
  }
  shape(2) = std::log(model.noise / variance);
  return shape;
}

/// Σ_j Σ_k ‖r‖² of the standardised targets at a model's θ, by definition fold by fold in one factorisation.
double summed_error(const std::vector<FitResult>& targets, const Model& at) {
  double sum = 0;
  for (const FitResult& target : targets) {
    const Model& model = target.model;
    sum +=
        DenseCrossValidation(at.kernel.lower(), at.noise, model.x, model.y, target.folds, {}).residuals().squaredNorm();
  }
  return sum;
}

TEST(SharedKernel, OneTargetIsTrainedAsByItself) {
  const std::vector<Dataset> data = drawn(120, 1, 1);
  const std::vector<FitResult> found = shared(data, options_of());
  const FitResult alone = fit(data[0], options_of());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT((shape_of_model(found[0].model) - shape_of_model(alone.model)).norm(), 1e-4);
  EXPECT_NEAR(found[0].model.provenance.cv_rmse, alone.model.provenance.cv_rmse, 1e-5);
  EXPECT_NEAR(found[0].model.error_scale.factor, alone.model.error_scale.factor, 1e-3);
  EXPECT_LT((found[0].model.weights - alone.model.weights).norm(), 1e-3 * alone.model.weights.norm());
}

TEST(SharedKernel, ItsErrorOfAllTargetsIsTheLeast) {
  const std::vector<Dataset> data = drawn(100, 4, 2);
  const std::vector<FitResult> found = shared(data, least_squares());
  const double least = summed_error(found, found[0].model);
  for (const Dataset& target : data) {
    const FitResult alone = fit(target, least_squares());
    EXPECT_GT(summed_error(found, alone.model), least * (1 - 1e-6)) << target.columns.target;
  }
  // Nor is there a lower one near by.
  const Model& model = found[0].model;
  const Problem problem{model.x, model.y, model.kernel, {.variance = model.noise}};
  const Vector u = log_values(problem);
  for (Index i = 0; i < u.size(); ++i) {
    for (const double step : {-0.02, 0.02}) {
      Model moved = model;
      const Vector at = u + step * Vector::Unit(u.size(), i);
      moved.kernel = kernel_at(problem, at);
      moved.noise = noise_at(problem, at);
      EXPECT_GT(summed_error(found, moved), least * (1 - 1e-5)) << i;
    }
  }
}

TEST(SharedKernel, AllTargetsHaveTheSameShapeAndTheirOwnScale) {
  const std::vector<FitResult> found = shared(drawn(100, 3, 3), options_of());
  for (const FitResult& target : found) {
    EXPECT_LT((shape_of_model(target.model) - shape_of_model(found[0].model)).norm(), 1e-9);
    EXPECT_EQ(target.training.history.size(), found[0].training.history.size());
  }
  EXPECT_NEAR(found[1].model.scaling.y_scale / found[0].model.scaling.y_scale, 10, 5);
  EXPECT_NE(found[1].model.noise, found[0].model.noise);
}

TEST(SharedKernel, ItIsNearerToTheTruthThanTargetsByThemselves) {
  int nearer = 0;
  constexpr int trials = 6;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) {
    const std::vector<Dataset> data = drawn(60, 5, 100 + seed);
    Vector expected(3);
    const Standardization scaling = Standardization::fit(data[0].x, data[0].y);
    expected << std::log(0.4 / scaling.x_scale(0)), std::log(1.2 / scaling.x_scale(1)), std::log(noise_variance);
    double alone = 0;
    for (const Dataset& target : data) {
      alone += (shape_of_model(fit(target, options_of()).model) - expected).norm() / static_cast<double>(data.size());
    }
    nearer += (shape_of_model(shared(data, options_of())[0].model) - expected).norm() < alone ? 1 : 0;
  }
  EXPECT_GE(nearer, trials - 1);
}

TEST(SharedKernel, SolversAgreeAtHeldParameters) {
  const std::vector<Dataset> data = drawn(150, 3, 4);
  FitOptions options = options_of("se(ard, l=[0.7, 2]:fixed, s2=1:fixed)");
  options.noise = Noise::parse("0.05:fixed");
  options.importance = true;
  options.train.compute.precision = Precision::double_;
  options.train.compute.solver = Solver::cholesky;
  const std::vector<FitResult> dense = shared(data, options);
  options.train.compute.solver = Solver::cg;
  const std::vector<FitResult> iterative = shared(data, options);
  for (std::size_t j = 0; j < data.size(); ++j) {
    const FitResult alone = fit(data[j], options);
    for (const FitResult* found : {&dense[j], &iterative[j]}) {
      const HeldOut &own = found->model.provenance.held_out, &expected = alone.model.provenance.held_out;
      EXPECT_LT((own.mean - expected.mean).norm(), 1e-4 * expected.mean.norm());
      EXPECT_LT((own.variance - expected.variance).norm(), 1e-3 * expected.variance.norm());
      EXPECT_LT((found->model.weights - alone.model.weights).norm(), 1e-3 * alone.model.weights.norm());
      ASSERT_EQ(found->model.provenance.importance.inputs.size(), 2U);
      EXPECT_NEAR(found->model.provenance.importance.inputs[0].increase,
                  alone.model.provenance.importance.inputs[0].increase, 1e-3 * alone.model.provenance.cv_rmse);
    }
  }
}

TEST(SharedKernel, IterationsFindAnErrorNearThatOfAFactorisation) {
  const std::vector<Dataset> data = drawn(200, 7, 5);  // more targets than folds
  FitOptions options = options_of();
  options.train.compute.solver = Solver::cholesky;
  const std::vector<FitResult> dense = shared(data, options);
  options.train.compute.solver = Solver::cg;
  const std::vector<FitResult> iterative = shared(data, options);
  const double least = summed_error(dense, dense[0].model);
  EXPECT_LT(summed_error(dense, iterative[0].model), 1.05 * least);
  for (std::size_t j = 0; j < data.size(); ++j) {
    EXPECT_NEAR(iterative[j].model.provenance.cv_rmse / dense[j].model.provenance.cv_rmse, 1, 0.1);
  }
}

TEST(SharedKernel, ATargetKeepsTheRowsThatOthersLack) {
  std::vector<Dataset> data = drawn(120, 3, 6);
  Dataset inputs = data[0];
  Matrix y(120, 3);
  for (Index j = 0; j < 3; ++j) y.col(j) = data[static_cast<std::size_t>(j)].y;
  for (Index i = 0; i < 120; i += 6) y(i, i % 4 == 0 ? 1 : 2) = std::nan("");
  inputs.y.resize(0);
  data = split_targets(inputs, y, names_of(3));
  const std::vector<FitResult> found = shared(data, options_of());
  EXPECT_EQ(found[0].model.y.size(), 120);
  EXPECT_EQ(found[1].model.y.size() + found[2].model.y.size(), 220);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LT((shape_of_model(found[j].model) - shape_of_model(found[0].model)).norm(), 1e-9);
    EXPECT_EQ(found[j].model.provenance.held_out.mean.size(), data[j].rows());
    EXPECT_LT(found[j].model.provenance.cv_rmse, 0.6 * std::pow(10.0, j));
  }
}

TEST(SharedKernel, WeightedRowsScaleEveryTarget) {
  std::vector<Dataset> data = drawn(100, 3, 7);
  for (Dataset& target : data) {
    target.columns.noise = "w";
    target.columns.noise_is_weight = true;
    target.noise = Vector::Ones(100);
    target.noise.head(50).setConstant(2);
  }
  const std::vector<FitResult> found = shared(data, options_of());
  for (std::size_t j = 0; j < 3; ++j) {
    FitOptions held = options_of();
    held.kernel = found[j].model.kernel;
    EXPECT_LT(found[j].model.provenance.cv_rmse, 0.6 * std::pow(10.0, j));
    EXPECT_LT(
        (found[j].model.scaling.target(data[j].y).cwiseProduct(RowNoise::of(data[j]).row_scale) - found[j].model.y)
            .norm(),
        1e-12);
  }
}

/// Rows that only one target has do not change the noise of the rows that all have.
TEST(SharedKernel, NoiseIsInUnitsOfEachTargetsRows) {
  Dataset inputs = drawn(160, 1, 11).front();
  inputs.columns.noise = "w";
  inputs.columns.noise_is_weight = true;
  inputs.noise = Vector::Ones(160);
  inputs.noise.head(80).setConstant(0.1);
  Matrix y(160, 2);
  y << inputs.y, inputs.y.array().square().matrix();
  y.col(0).tail(80).setConstant(std::numeric_limits<double>::quiet_NaN());
  const std::vector<FitResult> found = shared(split_targets(inputs, y, names_of(2)), options_of());
  // σ²/g² is the variance of a row with weight 1.
  const auto of_weight_one = [](const Model& model) {
    double signal = 1;
    for (const Parameter& p : model.kernel.parameters()) {
      if (p.role == Role::variance) signal *= p.value;
    }
    return model.noise / signal / std::pow(model.noise_reference, 2);
  };
  EXPECT_NEAR(of_weight_one(found[0].model) / of_weight_one(found[1].model), 1, 1e-6);
}

TEST(SharedKernel, TheKernelIsChosenForAll) {
  FitOptions options = options_of();
  options.choose_kernel = true;
  options.candidates = {"se", "matern32"};
  const std::vector<FitResult> found = shared(drawn(100, 3, 8), options);
  for (const FitResult& target : found) {
    EXPECT_FALSE(target.model.provenance.kernels.empty());
    EXPECT_EQ(target.model.kernel.parameters().size(), found[0].model.kernel.parameters().size());
  }
}

TEST(SharedKernel, EarlierModelsAreAStart) {
  const std::vector<Dataset> data = drawn(100, 3, 14);
  TargetsOptions options{.fit = options_of(), .share_kernel = true};
  options.fit.train.restarts = 1;
  const std::vector<FitResult> first = fit_targets(data, options);
  for (const FitResult& target : first) options.warm.push_back(std::make_shared<Model>(target.model));
  const std::vector<FitResult> again = fit_targets(data, options);
  EXPECT_LT(again[0].training.objective, 1.02 * first[0].training.objective);
  const std::vector<double>& start = again[0].training.history.front().theta;
  // The start has the shape of the earlier model, in its own standardised units.
  EXPECT_NEAR(start.at(0), std::exp(shape_of_model(first[0].model)(0)), 1e-6);
}

TEST(SharedKernel, PhasesAreNamedOnce) {
  for (const FitResult& target : shared(drawn(80, 2, 15), options_of())) {
    std::set<std::string> names;
    for (const auto& [phase, seconds] : target.seconds) EXPECT_TRUE(names.insert(phase).second) << phase;
  }
}

TEST(SharedKernel, RowsInCommonAreInTheSameFold) {
  const std::vector<Dataset> full = drawn(90, 2, 16);
  Dataset inputs = full[0];
  inputs.y.resize(0);
  Matrix y(90, 2);
  y << full[0].y, full[1].y;
  for (Index i = 0; i < 90; i += 9) y(i, 1) = std::nan("");
  const std::vector<Dataset> data = split_targets(inputs, y, names_of(2));
  TargetsOptions options{.fit = options_of(), .share_kernel = true};
  const std::vector<FitResult> found = fit_targets(data, options);
  std::vector<std::map<Index, std::size_t>> fold(2);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t k = 0; k < found[j].folds.folds.size(); ++k) {
      for (const Index row : found[j].folds.folds[k].validation) fold[j][data[j].reading.table_row(row)] = k;
    }
  }
  ASSERT_EQ(fold[1].size(), 80U);
  for (const auto& [row, number] : fold[1]) EXPECT_EQ(fold[0].at(row), number) << row;
}

TEST(SharedKernel, TransformsAndRowsSetAsideAreThoseOfEachTarget) {
  std::vector<Dataset> data = drawn(120, 2, 9);
  for (Dataset& target : data) target.y = (target.y / std::abs(target.y.maxCoeff())).array().exp();
  FitOptions options = options_of();
  options.transform = TransformOptions::parse("log");
  options.calibration = 0.2;
  for (const FitResult& target : shared(data, options)) {
    EXPECT_EQ(target.model.transform.to_string(), "log");
    EXPECT_EQ(target.model.conformal.scores.size(), 24);
    EXPECT_EQ(target.model.y.size(), 96);
  }
}

TEST(SharedKernel, AStopKeepsAModelOfEveryTarget) {
  int steps = 0;
  const Observer observer = [&](const IterationRecord&) { return ++steps < 2; };
  const std::vector<FitResult> found = fit_shared_kernel(drawn(100, 3, 10), options_of(), {}, observer, {});
  ASSERT_EQ(found.size(), 3U);
  for (const FitResult& target : found) {
    EXPECT_EQ(target.model.provenance.status, Status::stopped);
    EXPECT_EQ(target.model.weights.size(), 100);
  }
}

TEST(SharedKernel, EveryTargetIsAnnouncedInOrder) {
  std::vector<Index> begun;
  int announced = 0;
  fit_shared_kernel(
      drawn(80, 3, 11), options_of(), [&](Index j) { begun.push_back(j); }, {},
      [&](const Problem&, const std::string&) { ++announced; });
  EXPECT_EQ(begun, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(announced, 1);
}

TEST(SharedKernel, RefusesWhatNeedsATrainingOfEachTarget) {
  const std::vector<Dataset> data = drawn(40, 2, 12);
  const auto refused = [&](const std::function<void(FitOptions&)>& change) {
    FitOptions options = options_of();
    change(options);
    return message_of([&] { shared(data, options); });
  };
  const auto share = HasSubstr("is not possible where targets share a kernel");
  EXPECT_THAT(refused([](FitOptions& o) { o.train.trainer = "likelihood"; }), HasSubstr("the trainer likelihood"));
  EXPECT_THAT(refused([](FitOptions& o) { o.robust = true; }), share);
  EXPECT_THAT(refused([](FitOptions& o) { o.noise_model = NoiseModel::learned; }), share);
  EXPECT_THAT(refused([](FitOptions& o) { o.transform = TransformOptions::parse("auto"); }), share);
  EXPECT_THAT(refused([](FitOptions& o) { o.checkpoint = "some.h5"; }), share);
  EXPECT_THAT(refused([](FitOptions& o) { o.assess = Assess::nested; }), share);
  std::vector<Dataset> noisy = data;
  noisy[1].columns.noise = "s";
  noisy[1].noise = Vector::Ones(40);
  EXPECT_THAT(message_of([&] { shared(noisy, options_of()); }), share);
}

TEST(SharedKernel, RefusesTargetsWithoutCommonRows) {
  std::vector<Dataset> data = drawn(40, 2, 13);
  Dataset inputs = data[0];
  inputs.y.resize(0);
  Matrix y(40, 2);
  for (Index i = 0; i < 40; ++i) {
    y(i, 0) = i < 21 ? data[0].y(i) : std::nan("");
    y(i, 1) = i < 19 ? std::nan("") : data[1].y(i);
  }
  EXPECT_THAT(message_of([&] { shared(split_targets(inputs, y, names_of(2)), options_of()); }),
              HasSubstr("2 rows have a value of every target"));
  data[1].x(3, 0) += 1;
  EXPECT_THAT(message_of([&] { shared(data, options_of()); }), HasSubstr("different inputs"));
}

}  // namespace
}  // namespace gpcv
