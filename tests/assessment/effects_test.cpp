#include "assessment/effects.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "assessment/diagnostics.hpp"
#include "core/random.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {
namespace {

Columns columns(const std::vector<std::string>& names) {
  Columns c;
  c.features = names;
  for (std::size_t i = 0; i < names.size(); ++i) c.feature_indices.push_back(static_cast<Index>(i));
  c.target = "y";
  c.target_index = static_cast<Index>(names.size());
  c.table_columns = c.target_index + 1;
  return c;
}

/// y = 3 a + sin 2b, and c does nothing; a is in thousands.
Dataset three_inputs() {
  Random random(5);
  Dataset data{Matrix(120, 3), Vector(120), columns({"a", "b", "c"})};
  for (Index i = 0; i < 120; ++i) {
    const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
    data.x.row(i) << 1000 * a, b, random.uniform(5, 6);
    data.y(i) = 3 * a + std::sin(2 * b) + 0.05 * random.normal();
  }
  return data;
}

Model trained(const Dataset& data, const std::string& kernel = "se(ard)", Mean mean = Mean::zero) {
  FitOptions options;
  options.kernel = Kernel::parse(kernel);
  options.mean = mean;
  options.train.restarts = 1;
  return fit(data, options).model;
}

TEST(Effects, RankInputsByWhatTheyMove) {
  const Model model = trained(three_inputs());
  const std::vector<Relevance> found = relevance(model, Posterior(model, {}));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].input, 0u);
  EXPECT_EQ(found[1].input, 1u);
  EXPECT_EQ(found[2].input, 2u);
  // Two independent draws of 3a, a uniform in (−1, 1), differ by 3√(2/3) in the root mean square.
  EXPECT_NEAR(found[0].moved, 3 * std::sqrt(2.0 / 3), 0.4);
  EXPECT_LT(found[2].moved, 0.2);
  EXPECT_GT(found[0].inverse_length, found[2].inverse_length);
}

TEST(Effects, FollowTheFunctionInTheUsersUnits) {
  const Model model = trained(three_inputs());
  const std::vector<Effect> found = effects(model, Posterior(model, {}), {0, 1});
  ASSERT_EQ(found.size(), 2u);
  const Effect& a = found[0];
  EXPECT_NEAR(a.at(0), -1000, 50);
  EXPECT_NEAR(a.at(a.at.size() - 1), 1000, 50);
  EXPECT_NEAR(a.function.mean(a.at.size() - 1) - a.function.mean(0), 6, 0.5);
  EXPECT_TRUE((a.rows.variance.array() > a.function.variance.array()).all());
  EXPECT_TRUE((a.function.variance.array() > 0).all());
}

TEST(Effects, OfOneInputArePredictions) {
  Dataset data = three_inputs();
  data.x = Matrix(data.x.col(1));
  data.columns = columns({"b"});
  const Model model = trained(data);
  const Posterior posterior(model, {});
  const Diagnostics f = diagnostics_of(model, {});
  ASSERT_EQ(f.effects.size(), 1u);
  EXPECT_TRUE(f.relevance.empty());
  const Effect& e = f.effects[0];
  EXPECT_TRUE(e.rows.mean.isApprox(posterior.predict(e.at).mean));
  EXPECT_TRUE(e.rows.variance.isApprox(posterior.predict(e.at).variance));
}

TEST(Effects, OfPartsAddUpToThePrediction) {
  Dataset data = three_inputs();
  data.x = Matrix(data.x.col(1));
  data.columns = columns({"b"});
  const Model model = trained(data, "se(l=0.5) + matern32(l=2)", Mean::constant);
  const Diagnostics f = diagnostics_of(model, {});
  ASSERT_EQ(f.components.size(), 3u);
  Vector sum = Vector::Constant(f.effects[0].at.size(), model.scaling.y_mean);
  for (const ComponentEffect& c : f.components) sum += c.function.mean;
  EXPECT_TRUE(sum.isApprox(f.effects[0].function.mean, 1e-6));
  EXPECT_EQ(f.mean.size(), 1u);
}

TEST(Effects, OfACategoryHaveOneLevelAtATime) {
  Dataset data = three_inputs();
  data.columns = columns({"a", "k=one", "k=two"});
  data.columns.feature_indices = {0, 1, 1};
  data.columns.levels = {"", "one", "two"};
  for (Index i = 0; i < data.rows(); ++i) {
    data.x(i, 1) = i % 3 == 0 ? 1 : 0;
    data.x(i, 2) = 1 - data.x(i, 1);
    data.y(i) = data.x(i, 0) / 1000 + 4 * data.x(i, 2);
  }
  const Model model = trained(data);
  const std::vector<Input> inputs = inputs_of(model);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[1].name, "k");
  EXPECT_EQ(inputs[1].levels, (std::vector<std::string>{"one", "two"}));
  EXPECT_NEAR(inputs[0].range, 2000, 100);
  const Posterior posterior(model, {});
  EXPECT_EQ(relevance(model, posterior)[0].input, 1u);
  Model second = model;
  std::vector<Parameter> parameters(model.kernel.parameters().begin(), model.kernel.parameters().end());
  parameters[1].value = 100;
  parameters[2].value = 0.5;
  second.kernel = model.kernel.with_parameters(parameters);
  const std::vector<Relevance> by_length = relevance(second, Posterior(second, {}));
  EXPECT_GT(by_length[by_length[0].input == 1 ? 0 : 1].inverse_length, 1) << "any of its levels tells of it";
  const Effect e = effects(model, posterior, {1})[0];
  ASSERT_EQ(e.at.size(), 2);
  EXPECT_NEAR(e.function.mean(1) - e.function.mean(0), 4, 0.3);
}

TEST(Outcome, FindsBoundsAndRivals) {
  Model model = trained(three_inputs(), "se(l=[0.9,1,1] in [0.8,1])");
  const Outcome d = outcome_of(model);
  EXPECT_GT(d.explained, 0.9);
  EXPECT_FALSE(d.at_bounds.empty());
  EXPECT_TRUE(d.by_folds);

  model.kernel = Kernel::parse("se(l=[0.9,1,1])").bind(3);
  model.provenance.optima.resize(1);
  const auto log_theta = [&](const char* kernel) {
    const Vector theta = Kernel::parse(kernel).bind(3).theta();
    Vector u(theta.size() + 1);
    u << theta.array().log().matrix(), std::log(model.noise);
    return u;
  };
  model.provenance.optima[0].log_theta = log_theta("se(l=[0.9,1,1])");
  Optimum elsewhere = model.provenance.optima[0];
  elsewhere.log_theta = log_theta("se(l=[0.9,0.2,1])");
  elsewhere.objective *= 1.01;
  model.provenance.optima.push_back(elsewhere);
  const std::vector<AlternativeOptimum> alternatives = outcome_of(model).alternatives;
  ASSERT_EQ(alternatives.size(), 1u);
  EXPECT_EQ(alternatives[0].parameter, "se.l[1]");
  EXPECT_NEAR(alternatives[0].worse, 0.01, 1e-9);
  model.provenance.optima[1].objective *= 1.1;
  EXPECT_TRUE(outcome_of(model).alternatives.empty()) << "far worse";
}

}  // namespace
}  // namespace gpcv
