/// Data drawn from a known process.
#include <cmath>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;

class GenerateCommand : public CommandTest {
 protected:
  NumberTable draw(const Arguments& options) const {
    Arguments arguments{"generate", "-o", path("draw.csv")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(succeed(arguments), "");
    return read_table("draw.csv");
  }
};

double variance(const std::vector<double>& values) {
  double mean = 0, sum = 0;
  for (double v : values) mean += v / static_cast<double>(values.size());
  for (double v : values) sum += (v - mean) * (v - mean) / static_cast<double>(values.size());
  return sum;
}

TEST_F(GenerateCommand, SpacesOneInputEvenlyOverTheRange) {
  const NumberTable table = draw({"--kernel", "se(l=0.5)", "--noise", "0.1", "--n", "41", "--range", "-2:6"});
  EXPECT_THAT(table.names, ElementsAre("x", "y"));
  ASSERT_EQ(table.rows, 41u);
  for (std::size_t i = 0; i < table.rows; ++i) EXPECT_NEAR(table["x"][i], -2 + 0.2 * static_cast<double>(i), 1e-12);
}

TEST_F(GenerateCommand, ScattersSeveralInputsInTheRange) {
  const NumberTable table = draw({"--kernel", "se(ard)", "--n", "50", "--range", "3:4", "--dims", "3"});
  EXPECT_THAT(table.names, ElementsAre("x0", "x1", "x2", "y"));
  for (const char* name : {"x0", "x1", "x2"}) {
    EXPECT_GE(*std::min_element(table[name].begin(), table[name].end()), 3);
    EXPECT_LE(*std::max_element(table[name].begin(), table[name].end()), 4);
    EXPECT_GT(variance(table[name]), 0.04);
  }
  const NumberTable one = draw({"--kernel", "se", "--n", "50", "--range", "3:4", "--inputs", "random"});
  EXPECT_NE(one["x"][1] - one["x"][0], one["x"][2] - one["x"][1]);
}

TEST_F(GenerateCommand, RepeatsItselfForTheSameSeed) {
  const auto bytes = [&](const char* seed) {
    draw({"--kernel", "matern32(l=2)", "--n", "60", "--seed", seed});
    return read("draw.csv");
  };
  const std::string first = bytes("8");
  EXPECT_EQ(bytes("8"), first);
  EXPECT_NE(bytes("9"), first);
}

TEST_F(GenerateCommand, DrawsWithTheVariancesAskedFor) {
  // At a length scale far below the spacing rows are independent: the variance is s2 + noise.
  const NumberTable both = draw({"--kernel", "se(l=0.0001, s2=4)", "--noise", "5", "--n", "1000"});
  EXPECT_NEAR(variance(both["y"]), 9, 9 * 5 * std::sqrt(2.0 / 1000));
  const NumberTable smooth = draw({"--kernel", "se(l=5)", "--noise", "0.01", "--n", "500"});
  std::vector<double> steps;
  for (std::size_t i = 1; i < smooth.rows; ++i) steps.push_back(smooth["y"][i] - smooth["y"][i - 1]);
  EXPECT_NEAR(variance(steps), 2 * 0.01, 0.006);
}

TEST_F(GenerateCommand, GivesDataFromWhichFitFindsTheTruth) {
  draw({"--kernel", "se(l=0.6, s2=2)", "--noise", "0.1", "--n", "300", "--range", "0:30", "--seed", "5"});
  const Json json = succeed_json({"fit", path("draw.csv"), "--target", "y", "--kernel", "se", "--restarts", "1",
                                  "--no-standardize", "--json", "-o", path("model.h5")});
  EXPECT_NEAR(json.at("parameters").at("se.l"), 0.6, 0.1);
  EXPECT_NEAR(json.at("parameters").at("se.s2"), 2, 1);
  EXPECT_NEAR(json.at("noise"), 0.1, 0.03);
  EXPECT_GT(succeed_json({"evaluate", path("model.h5"), path("draw.csv"), "--json"}).at("coverage95"), 0.9);
}

TEST_F(GenerateCommand, RefusesWhatCannotBeDrawn) {
  write("draw.csv", "kept\n");
  const auto expect = [&](const Arguments& options, const std::vector<std::string>& parts, long lines = 1) {
    Arguments arguments{"generate", "-o", path("draw.csv")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    refuse(arguments, parts, lines);
  };
  for (const char* range : {"5", "1:", ":2", "a:b", "0:1:2", "5:1", "1:1", "0:inf", "nan:1"}) {
    expect({"--kernel", "se", "--range", range}, {"range", range});
  }
  expect({"--kernel", "se", "--noise", "-1"}, {"noise", "negative"});
  expect({"--kernel", "se("}, {"kernel", "\n  se(\n", "^"}, 3);
  expect({"--kernel", "se(on=[3])", "--dims", "2"}, {"column 3"});
  expect({"--kernel", "se", "--dims", "2", "--inputs", "even"}, {"--dims 1"});
  expect({"--kernel", "se", "--n", "0"}, {"--n"});
  expect({"--kernel", "se", "--dims", "0"}, {"--dims"});
  expect({}, {"--kernel"});
  refuse({"generate", "--kernel", "se"}, {"--output"});
  refuse({"generate", "--kernel", "se", "-o", path("none/draw.csv")}, {"none/draw.csv", "there is no folder"});
  EXPECT_EQ(read("draw.csv"), "kept\n");
  EXPECT_THAT(files(), ElementsAre("draw.csv"));
}

}  // namespace
}  // namespace gpcv
