/// Scores of predictions against known targets.
#include <cmath>
#include <numbers>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class EvaluateCommand : public CommandTest {
 protected:
  void train() const {
    write("train.csv", wave(60));
    succeed({"fit", path("train.csv"), "--target", "y", "--restarts", "1", "--quiet", "-o", path("model.h5")});
  }
};

TEST_F(EvaluateCommand, ScoresWhatPredictPrints) {
  train();
  std::string text = "x,y\n";
  for (int i = 0; i < 37; ++i) {
    const double x = 0.3 * i;
    text += std::to_string(x) + "," + std::to_string(5 + 3 * std::sin(x) + 0.4 * std::sin(7.7 * i * i)) + "\n";
  }
  write("test.csv", text);
  const Json json = succeed_json({"evaluate", path("model.h5"), path("test.csv"), "--json"});
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  EXPECT_THAT(keys, UnorderedElementsAre("n", "rmse", "smse", "nlpd", "crps", "coverage50", "coverage80", "coverage95",
                                         "left_out", "findings"));

  const NumberTable test = read_table("test.csv");
  const NumberTable table = succeed_table({"predict", path("model.h5"), path("test.csv")});
  const auto n = static_cast<double>(test.rows);
  double mean = 0, power = 0, squares = 0, nlpd = 0, crps = 0, inside50 = 0, inside80 = 0, inside95 = 0;
  for (double y : test["y"]) mean += y / n;
  for (std::size_t i = 0; i < test.rows; ++i) {
    const double y = test["y"][i], s = table["std"][i], z = (y - table["mean"][i]) / s;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    power += (y - mean) * (y - mean) / n;
    squares += z * z * s * s / n;
    nlpd -= std::log(density / s) / n;
    crps += s * (z * std::erf(z / std::numbers::sqrt2) + 2 * density - 1 / std::sqrt(std::numbers::pi)) / n;
    inside50 += (std::abs(z) <= 0.6744897501960817) / n;
    inside80 += (std::abs(z) <= 1.2815515655446004) / n;
    inside95 += (std::abs(z) <= 1.959963984540054) / n;
  }
  EXPECT_EQ(json.at("n"), 37);
  EXPECT_NEAR(json.at("rmse"), std::sqrt(squares), 1e-9);
  EXPECT_NEAR(json.at("smse"), squares / power, 1e-9);
  EXPECT_NEAR(json.at("nlpd"), nlpd, 1e-9);
  EXPECT_NEAR(json.at("crps"), crps, 1e-9);
  EXPECT_NEAR(json.at("coverage50"), inside50, 1e-9);
  EXPECT_NEAR(json.at("coverage80"), inside80, 1e-9);
  EXPECT_NEAR(json.at("coverage95"), inside95, 1e-9);
  EXPECT_LT(json.at("rmse").get<double>(), 1);
}

TEST_F(EvaluateCommand, SaysTheSameToAPerson) {
  train();
  const std::string text = succeed({"evaluate", path("model.h5"), path("train.csv")});
  const Json json = succeed_json({"evaluate", path("model.h5"), path("train.csv"), "--json"});
  for (const char* score : {"rmse", "smse", "nlpd", "crps"}) {
    std::ostringstream rounded;
    rounded << json.at(score).get<double>();
    EXPECT_THAT(text, ::testing::ContainsRegex(std::string(score) + " +" + rounded.str())) << text;
  }
  for (const char* word : {"60", "coverage", "50 %", "80 %", "95 %"}) EXPECT_THAT(text, HasSubstr(word));
}

TEST_F(EvaluateCommand, HasNoStandardisedErrorForTargetsThatDoNotVary) {
  train();
  write("one.csv", "x,y\n1,7\n");
  const Json json = succeed_json({"evaluate", path("model.h5"), path("one.csv"), "--json"});
  EXPECT_TRUE(json.at("smse").is_null());
  EXPECT_TRUE(json.at("rmse").is_number());
  EXPECT_THAT(succeed({"evaluate", path("model.h5"), path("one.csv")}),
              HasSubstr("\nsmse      none: it needs two rows\n"));
  write("two.csv", "x,y\n1,7\n2,7\n");
  EXPECT_THAT(succeed({"evaluate", path("model.h5"), path("two.csv")}),
              HasSubstr("\nsmse      none: the targets do not vary\n"));
}

TEST_F(EvaluateCommand, RefusesErrorsWhoseSquaresOverflow) {
  train();
  write("huge.csv", "x,y\n1,1e300\n2,3\n");
  refuse({"evaluate", path("model.h5"), path("huge.csv")}, {"huge.csv: target 'y'", "squares", "1.0e+300"});
}

TEST_F(EvaluateCommand, NamesTheTargetBesideNumbersInItsUnits) {
  train();
  const std::string text = succeed({"evaluate", path("model.h5"), path("train.csv")});
  EXPECT_THAT(text, ::testing::ContainsRegex("\nrmse +[0-9.]+ \\(in the units of y\\)\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("\ncrps +[0-9.]+ \\(in the units of y\\)\n"));
}

TEST_F(EvaluateCommand, NeedsTheTarget) {
  train();
  write("inputs.csv", "x\n1\n2\n");
  refuse({"evaluate", path("model.h5"), path("inputs.csv")}, {"inputs.csv", "'y'"});
  write("unknown.csv", "x,y\n1,2\n2,?\n");
  refuse({"evaluate", path("model.h5"), path("unknown.csv"), "--json"}, {"unknown.csv:3:2", "'?'"});
}

}  // namespace
}  // namespace gpcv
