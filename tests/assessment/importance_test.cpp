/// Importance of inputs against loops over all rows and folds, and its properties.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/random.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {
namespace {

/// y = 2 a + sin 3b, and c does nothing.
Dataset three_inputs(Index n, std::uint64_t seed = 3, double noise = 0.1) {
  Random random(seed);
  Dataset data{Matrix(n, 3), Vector(n), {}};
  data.columns.features = {"a", "b", "c"};
  data.columns.feature_indices = {0, 1, 2};
  data.columns.target = "y";
  for (Index i = 0; i < n; ++i) {
    const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
    data.x.row(i) << 100 * a, b, random.uniform(5, 6);
    data.y(i) = 2 * a + std::sin(3 * b) + noise * random.normal();
  }
  return data;
}

FitOptions quick(const std::string& kernel = "se(ard)") {
  FitOptions options;
  options.kernel = Kernel::parse(kernel);
  options.train.restarts = 1;
  options.train.gauss_newton.criterion = Criterion::squared;
  return options;
}

std::map<std::string, InputImportance> by_name(const Model& model) {
  std::map<std::string, InputImportance> found;
  for (const InputImportance& input : model.provenance.importance.inputs) found[input.name] = input;
  return found;
}

/// The increase of the root mean square error without these columns, by its definition: every fold is solved by itself,
/// and every other held-out row lends its values. The kernel is se(ard); s2 and the lengths are standardised.
struct Naive {
  const Dataset& data;
  const FitResult& result;

  double covariance(const Vector& p, const Vector& q) const {
    const Standardization& scaling = result.model.scaling;
    double square = 0, variance = 1;
    Index at = 0;
    for (const Parameter& parameter : result.model.kernel.parameters()) {
      if (parameter.name == "se.s2") variance = parameter.value;
      if (parameter.role != Role::length_scale) continue;
      square += std::pow((p(at) - q(at)) / scaling.x_scale(at) / parameter.value, 2);
      ++at;
    }
    return variance * std::exp(-0.5 * square);
  }

  double increase(const std::vector<Index>& columns) const {
    const Model& model = result.model;
    std::vector<Index> held;
    for (const Fold& fold : result.folds.folds) held.insert(held.end(), fold.validation.begin(), fold.validation.end());
    double with = 0, without = 0;
    for (const Fold& fold : result.folds.folds) {
      const auto n = static_cast<Index>(fold.training.size());
      Matrix c(n, n);
      Vector y(n);
      for (Index i = 0; i < n; ++i) {
        const Index row = fold.training[static_cast<std::size_t>(i)];
        for (Index j = 0; j < n; ++j) {
          c(i, j) = covariance(data.x.row(row), data.x.row(fold.training[static_cast<std::size_t>(j)]));
        }
        const double spread = data.noise.size() > 0 ? data.noise(row) / model.noise_reference : 1;
        c(i, i) += model.noise * spread * spread;
        y(i) = data.y(row) - model.scaling.y_mean;
      }
      const Vector z = c.fullPivLu().solve(y);
      const auto error = [&](Index row, const Vector& point) {
        double mean = model.scaling.y_mean;
        for (Index j = 0; j < n; ++j) {
          mean += z(j) * covariance(point, data.x.row(fold.training[static_cast<std::size_t>(j)]));
        }
        return std::pow(data.y(row) - mean, 2);
      };
      for (const Index row : fold.validation) {
        const auto count = static_cast<double>(held.size());
        with += error(row, data.x.row(row)) / count;
        for (const Index other : held) {
          if (other == row) continue;
          Vector point = data.x.row(row);
          for (const Index column : columns) point(column) = data.x(other, column);
          without += error(row, point) / count / (count - 1);
        }
      }
    }
    return std::sqrt(without) - std::sqrt(with);
  }
};

void expect_naive(const Dataset& data, const FitResult& result, double tolerance = 1e-5) {
  const auto found = by_name(result.model);
  ASSERT_EQ(found.size(), 3u) << result.folds.description;
  const Naive naive{data, result};
  Index column = 0;
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_NEAR(found.at(name).increase, naive.increase({column++}), tolerance)
        << name << ", " << result.folds.description;
  }
}

TEST(Importance, IsItsDefinitionForEveryKindOfFolds) {
  Dataset data = three_inputs(30);
  data.time = Vector::LinSpaced(30, 0, 1);
  for (Index i = 0; i < 30; ++i) data.labels.push_back(i % 7);
  using Kind = FoldOptions::Kind;
  for (const Kind kind : {Kind::random, Kind::interleaved, Kind::holdout, Kind::groups, Kind::column, Kind::blocks,
                          Kind::regions, Kind::time}) {
    FitOptions options = quick();
    options.folds = FoldOptions{.kind = kind, .fraction = 0.4, .blocks = 3};
    expect_naive(data, fit(data, options));
  }
  FitOptions options = quick();
  options.folds = FoldOptions{.count = 30};
  expect_naive(data, fit(data, options));
}

TEST(Importance, IsTheSameByIterations) {
  const Dataset data = three_inputs(30);
  FitOptions options = quick();
  options.train.compute.solver = Solver::cg;
  expect_naive(data, fit(data, options), 1e-4);
  for (const char* trainer : {"likelihood", "naive", "consensus"}) {
    FitOptions other = quick();
    other.train.trainer = trainer;
    expect_naive(data, fit(data, other), 1e-4);
  }
}

TEST(Importance, OfWeightedRowsIsInTheTargetsUnits) {
  Dataset data = three_inputs(30);
  data.noise = Vector(30);
  for (Index i = 0; i < 30; ++i) data.noise(i) = i % 3 == 0 ? 0.4 : 0.05;
  data.columns.noise = "s";
  data.columns.noise_index = 4;
  expect_naive(data, fit(data, quick()));
  data.columns.noise_is_weight = true;
  data.y *= 1000;
  expect_naive(data, fit(data, quick()), 1e-2);
}

TEST(Importance, OrdersInputsAndFindsNoEffectWithinItsError) {
  const Dataset data = three_inputs(300);
  const Model model = fit(data, quick()).model;
  const Importance& importance = model.provenance.importance;
  ASSERT_EQ(importance.inputs.size(), 3u);
  EXPECT_EQ(importance.rows, 300);
  EXPECT_NEAR(importance.rmse, model.provenance.cv_rmse, 1e-9);
  EXPECT_EQ(importance.inputs[0].name, "a");
  EXPECT_EQ(importance.inputs[1].name, "b");
  // Two independent draws of 2a differ by 2√(2/3) in the root mean square, of sin 3b by √(2 var sin 3b).
  const double variance = 0.5 - std::sin(6) / 12;
  EXPECT_NEAR(importance.inputs[0].increase, std::sqrt(4 * 2.0 / 3 + 0.01) - 0.1, 0.15);
  EXPECT_NEAR(importance.inputs[1].increase, std::sqrt(2 * variance + 0.01) - 0.1, 0.15);
  EXPECT_LT(importance.inputs[0].standard_error, 0.2);
  EXPECT_TRUE(importance.inputs[0].is_significant());
  const InputImportance& idle = importance.inputs[2];
  EXPECT_LE(std::abs(idle.increase), 2 * idle.standard_error);
  EXPECT_FALSE(idle.is_significant());
}

TEST(Importance, StandardErrorIsTheSpreadOverTables) {
  constexpr int tables = 30;
  Vector a(tables), errors(tables);
  FitOptions options = quick("se(l=[1,0.5,20]:fixed, s2=1:fixed)");
  options.noise = Noise{.variance = 0.01, .fixed = true, .given = true};
  for (int t = 0; t < tables; ++t) {
    const auto found = by_name(fit(three_inputs(80, static_cast<std::uint64_t>(10 + t), 0.3), options).model);
    a(t) = found.at("a").increase;
    errors(t) = found.at("a").standard_error;
  }
  const double spread = std::sqrt((a.array() - a.mean()).square().sum() / (tables - 1));
  EXPECT_NEAR(errors.mean() / spread, 1, 0.4);
}

TEST(Importance, OfDependentRowsIsLessCertain) {
  Dataset data = three_inputs(120);
  Random random(8);
  for (Index i = 0; i < 120; ++i) data.labels.push_back(i / 12);
  for (Index g = 0; g < 10; ++g) {
    data.y.segment(12 * g, 12).array() += 2 * random.normal();
    data.x.col(2).segment(12 * g, 12).setConstant(random.normal());
  }
  FitOptions options = quick();
  options.folds = FoldOptions{.kind = FoldOptions::Kind::groups};
  const FitResult grouped = fit(data, options);
  options.folds = FoldOptions{.kind = FoldOptions::Kind::given};
  options.folds->folds = std::make_shared<Folds>(grouped.folds);
  const auto dependent = by_name(grouped.model), independent = by_name(fit(data, options).model);
  EXPECT_NEAR(dependent.at("c").increase, independent.at("c").increase, 1e-9);
  EXPECT_GT(dependent.at("c").standard_error, 1.3 * independent.at("c").standard_error);
}

TEST(Importance, CountsTheIndicatorsOfACategoryOnce) {
  Dataset data = three_inputs(60);
  data.columns.features = {"a", "k=one", "k=two"};
  data.columns.feature_indices = {0, 1, 1};
  data.columns.levels = {"", "one", "two"};
  for (Index i = 0; i < data.rows(); ++i) {
    data.x(i, 1) = i % 3 == 0 ? 1 : 0;
    data.x(i, 2) = 1 - data.x(i, 1);
    data.y(i) = data.x(i, 0) / 100 + 4 * data.x(i, 2);
  }
  data = data.rows_at([] {
    std::vector<Index> rows;
    for (Index i = 0; i < 30; ++i) rows.push_back(i);
    return rows;
  }());
  const FitResult result = fit(data, quick());
  const Importance& importance = result.model.provenance.importance;
  ASSERT_EQ(importance.inputs.size(), 2u);
  EXPECT_EQ(importance.inputs[0].name, "k");
  EXPECT_NEAR(importance.inputs[0].increase, (Naive{data, result}.increase({1, 2})), 1e-5);
}

TEST(Importance, OfAColumnThatTheKernelLeavesOutIsZero) {
  const auto found = by_name(fit(three_inputs(60), quick("se(on=[0]) + matern32(on=[1])")).model);
  EXPECT_EQ(found.at("c").increase, 0);
  EXPECT_EQ(found.at("c").standard_error, 0);
  EXPECT_FALSE(found.at("c").is_significant());
  EXPECT_GT(found.at("a").increase, found.at("b").increase);
  EXPECT_GT(found.at("b").increase, 0.3);
}

TEST(Importance, OfANestedErrorIsThatOfItsFolds) {
  const Dataset data = three_inputs(60);
  FitOptions options = quick();
  options.assess = Assess::nested;
  const Model model = fit(data, options).model;
  EXPECT_EQ(model.provenance.assessment, "nested");
  EXPECT_NEAR(model.provenance.importance.rmse, model.provenance.cv_rmse, 1e-9);
  const auto found = by_name(model);
  EXPECT_NEAR(found.at("a").increase, std::sqrt(4 * 2.0 / 3 + 0.01) - 0.1, 0.4);
  EXPECT_GT(found.at("a").increase, found.at("b").increase);
  EXPECT_LE(std::abs(found.at("c").increase), 2 * found.at("c").standard_error);
  const Model inner = fit(data, quick()).model;
  EXPECT_GT(model.provenance.importance.rmse, inner.provenance.importance.rmse);
}

TEST(Importance, IsStoredAndMayBeLeftOut) {
  Dataset data = three_inputs(40);
  data.columns.table_columns = 4;
  data.columns.target_index = 3;
  FitOptions options = quick();
  const Model model = fit(data, options).model;
  const auto path = std::filesystem::path(::testing::TempDir()) / "importance.h5";
  save(model, path);
  const Model loaded = load_model(path);
  const Importance &kept = loaded.provenance.importance, &made = model.provenance.importance;
  ASSERT_EQ(kept.inputs.size(), made.inputs.size());
  EXPECT_EQ(kept.rows, made.rows);
  EXPECT_EQ(kept.rmse, made.rmse);
  for (std::size_t i = 0; i < kept.inputs.size(); ++i) {
    EXPECT_EQ(kept.inputs[i].name, made.inputs[i].name);
    EXPECT_EQ(kept.inputs[i].increase, made.inputs[i].increase);
    EXPECT_EQ(kept.inputs[i].standard_error, made.inputs[i].standard_error);
  }
  EXPECT_EQ(diagnostics_of(loaded, {}).importance.inputs.size(), 3u);
  options.importance = false;
  EXPECT_TRUE(fit(data, options).model.provenance.importance.empty());
}

}  // namespace
}  // namespace gpcv
