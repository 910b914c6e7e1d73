/// Predictions: columns, intervals, draws and covariances.
#include <array>
#include <cmath>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

class PredictCommand : public CommandTest {
 protected:
  /// Trains on the wave and gives fit's JSON.
  Json train(int rows = 60) const {
    write("train.csv", wave(rows));
    return succeed_json(
        {"fit", path("train.csv"), "--target", "y", "--restarts", "1", "--json", "-o", path("model.h5")});
  }
  NumberTable predict(const std::string& data, const Arguments& options = {}) const {
    Arguments arguments{"predict", path("model.h5"), path(data)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return succeed_table(arguments);
  }
};

TEST_F(PredictCommand, GivesMeanStdAndIntervalWithTheNoise) {
  const Json model = train();
  write("new.csv", "x\n0.1\n2\n5.5\n9.9\n14\n");
  const NumberTable noisy = predict("new.csv"), latent = predict("new.csv", {"--latent"});
  EXPECT_THAT(noisy.names, ElementsAre("mean", "std", "lower", "upper"));
  ASSERT_EQ(noisy.rows, 5u);
  EXPECT_THAT(latent.names, noisy.names);
  EXPECT_THAT(latent["mean"], Pointwise(DoubleNear(1e-12), noisy["mean"]));
  const double noise = model.at("noise_std");
  for (std::size_t i = 0; i < noisy.rows; ++i) {
    const double std = noisy["std"][i];
    EXPECT_NEAR(std * std, latent["std"][i] * latent["std"][i] + noise * noise, 1e-9);
    EXPECT_NEAR(noisy["lower"][i], noisy["mean"][i] - 1.959963984540054 * std, 1e-9);
    EXPECT_NEAR(noisy["upper"][i], noisy["mean"][i] + 1.959963984540054 * std, 1e-9);
    EXPECT_NEAR(latent["upper"][i] - latent["mean"][i], 1.959963984540054 * latent["std"][i], 1e-9);
  }
  EXPECT_NEAR(noisy["mean"][1], 5 + 3 * std::sin(2.0), 0.3);
  EXPECT_GT(noisy["std"][4], 2 * noisy["std"][1]) << "far from the data it is less certain";

  const NumberTable half = predict("new.csv", {"--interval", "0.5"});
  for (std::size_t i = 0; i < half.rows; ++i) {
    EXPECT_NEAR(half["upper"][i] - half["mean"][i], 0.6744897501960817 * half["std"][i], 1e-9);
    EXPECT_EQ(half["std"][i], noisy["std"][i]);
  }
  const NumberTable mean_only = predict("new.csv", {"--mean-only"});
  EXPECT_THAT(mean_only.names, ElementsAre("mean"));
  EXPECT_THAT(mean_only["mean"], Pointwise(DoubleNear(1e-9), noisy["mean"]));
}

TEST_F(PredictCommand, WritesToAFileWhatItWouldPrint) {
  train();
  const std::string printed = succeed({"predict", path("model.h5"), path("train.csv")});
  EXPECT_EQ(succeed({"predict", path("model.h5"), path("train.csv"), "-o", path("out.csv")}), "");
  EXPECT_EQ(read("out.csv"), printed);
  // Again, over the file that is there now.
  succeed({"predict", path("model.h5"), path("train.csv"), "--mean-only", "-o", path("out.csv")});
  EXPECT_THAT(read_table("out.csv").names, ElementsAre("mean"));
  EXPECT_THAT(files(), ElementsAre("model.h5", "out.csv", "train.csv"));
}

TEST_F(PredictCommand, AgreesWithTheFormulaWorkedOutByHand) {
  // Three points, k(x, x') = 2 exp(−(x − x')²/2/0.8²), noise 0.1: m = k*ᵀ C⁻¹ y, v = k** + 0.1 − k*ᵀ C⁻¹ k*.
  constexpr std::array x{0.0, 1.0, 2.5}, y{1.0, -1.0, 0.5};
  const auto k = [](double a, double b) { return 2 * std::exp(-(a - b) * (a - b) / (2 * 0.8 * 0.8)); };
  write("train.csv", "x,y\n0,1\n1,-1\n2.5,0.5\n");
  succeed({"fit", path("train.csv"), "--target", "y", "--no-standardize", "--kernel", "se(l=0.8:fixed, s2=2:fixed)",
           "--noise", "0.1:fixed", "--quiet", "-o", path("model.h5")});
  write("new.csv", "x\n0.3\n1.7\n");
  const NumberTable table = predict("new.csv");
  for (std::size_t t = 0; t < 2; ++t) {
    const double at = t == 0 ? 0.3 : 1.7;
    // Gauss-Jordan on [C | k* | y].
    double c[3][5];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) c[i][j] = k(x[i], x[j]) + (i == j ? 0.1 : 0.0);
      c[i][3] = k(x[i], at);
      c[i][4] = y[i];
    }
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t i = 0; i < 3; ++i) {
        const double factor = c[i][p] / c[p][p];
        for (std::size_t j = 0; i != p && j < 5; ++j) c[i][j] -= factor * c[p][j];
      }
    }
    double mean = 0, variance = k(at, at) + 0.1;
    for (std::size_t i = 0; i < 3; ++i) {
      mean += k(x[i], at) * c[i][4] / c[i][i];
      variance -= k(x[i], at) * c[i][3] / c[i][i];
    }
    EXPECT_NEAR(table["mean"][t], mean, 1e-12);
    EXPECT_NEAR(table["std"][t], std::sqrt(variance), 1e-12);
  }
}

TEST_F(PredictCommand, FindsItsColumnsByNameOrByPosition) {
  write("train.csv", surface(40));
  succeed({"fit", path("train.csv"), "--target", "y", "--features", "a,b", "--restarts", "1", "--quiet", "-o",
           path("model.h5")});
  write("same.csv", "a,b\n0.5,510\n-1,450\n");
  const std::string expected = succeed({"predict", path("model.h5"), path("same.csv")});
  write("shuffled.csv", "note,b,y,a\nhello,510,,0.5\nthere,450,?,-1\n");
  write("bare.csv", "0.5,510\n-1,450\n");
  write("whole.csv", "0.5,510,0,0\n-1,450,0,0\n");
  for (const char* name : {"shuffled.csv", "bare.csv", "whole.csv"}) {
    EXPECT_EQ(succeed({"predict", path("model.h5"), path(name)}), expected) << name;
  }
  EXPECT_EQ(succeed({"predict", path("model.h5"), path("bare.csv"), "--header", "no"}), expected);
}

TEST_F(PredictCommand, DrawsFromTheJointPosterior) {
  train();
  write("new.csv", "x\n1\n1.05\n12\n");
  const Arguments two{"predict", path("model.h5"), path("new.csv"), "--samples", "2", "--seed", "3"};
  const std::string text = succeed(two);
  EXPECT_THAT(parse_table(text).names, ElementsAre("sample1", "sample2"));
  EXPECT_EQ(parse_table(text).rows, 3u);
  EXPECT_EQ(succeed(two), text);
  Arguments other = two;
  other.back() = "4";
  EXPECT_NE(succeed(other), text);

  const NumberTable marginal = predict("new.csv", {"--latent"});
  const NumberTable draws = predict("new.csv", {"--samples", "400", "--latent", "--seed", "1"});
  ASSERT_EQ(draws.names.size(), 400u);
  double near = 0, far = 0, squares = 0, neighbours = 0;
  for (const std::string& name : draws.names) {
    const auto& draw = draws[name];
    near += draw[0] / 400;
    far += draw[2] / 400;
    squares += std::pow(draw[2] - marginal["mean"][2], 2) / 400;
    neighbours = std::max(neighbours, std::abs(draw[1] - draw[0]));
  }
  // Five standard errors.
  EXPECT_NEAR(near, marginal["mean"][0], 5 * marginal["std"][0] / 20);
  EXPECT_NEAR(far, marginal["mean"][2], 5 * marginal["std"][2] / 20);
  EXPECT_NEAR(std::sqrt(squares) / marginal["std"][2], 1, 0.18);
  EXPECT_LT(neighbours, 0.3) << "without noise a draw is smooth";
}

TEST_F(PredictCommand, WritesTheJointCovarianceBesideThePredictions) {
  train();
  write("new.csv", "x\n1\n1.5\n12\n");
  for (const Arguments& options : {Arguments{}, Arguments{"--latent"}}) {
    Arguments with_covariance = options;
    with_covariance.insert(with_covariance.end(), {"--covariance", path("covariance.csv")});
    const NumberTable table = predict("new.csv", with_covariance), covariance = read_table("covariance.csv");
    EXPECT_THAT(covariance.names, ElementsAre("row1", "row2", "row3"));
    ASSERT_EQ(covariance.rows, 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(covariance[covariance.names[i]][i], std::pow(table["std"][i], 2), 1e-9);
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_NEAR(covariance[covariance.names[i]][j], covariance[covariance.names[j]][i], 1e-9);
      }
    }
    EXPECT_GT(std::abs(covariance["row1"][1]), 1e-6);
  }
}

TEST_F(PredictCommand, StreamsMoreRowsThanOneBatch) {
  train(20);
  std::string text = "x\n";
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 0.0005) + "\n";
  write("many.csv", text);
  write("few.csv", "x\n0\n4.096\n9.9995\n");  // rows 0, 8192 and 19999
  const NumberTable many = predict("many.csv"), few = predict("few.csv");
  ASSERT_EQ(many.rows, 20000u);
  std::size_t i = 0;
  for (std::size_t row : {0u, 8192u, 19999u}) {
    EXPECT_NEAR(many["mean"][row], few["mean"][i], 1e-10) << row;
    EXPECT_NEAR(many["std"][row], few["std"][i], 1e-10) << row;
    ++i;
  }
}

TEST_F(PredictCommand, PrintsNoHalfTableForABadRow) {
  train(20);
  write("bad.csv", "x\n1\n2\n3q\n");
  refuse({"predict", path("model.h5"), path("bad.csv")}, {"bad.csv:4:1", "'3q'"});
  refuse({"predict", path("model.h5"), path("bad.csv"), "-o", path("out.csv")}, {"bad.csv:4:1", "'3q'"});
  EXPECT_THAT(files(), ElementsAre("bad.csv", "model.h5", "train.csv"));
}

}  // namespace
}  // namespace gpcv
