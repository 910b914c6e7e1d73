// Robust training as a user asks for it.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class RobustCommand : public CommandTest {
 protected:
  void SetUp() override {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::ostringstream text;
    text << "name,x,y\n";
    for (int i = 0; i < 120; ++i) {
      const double x = 0.05 * i;
      text << 'r' << i << ',' << x << ',' << std::sin(x) + 0.1 * normal(random) + (i % 40 == 7 ? 5 : 0) << '\n';
    }
    write("data.csv", text.str());
    write("new.csv", "x\n0.5\n3\n5\n");
  }
  Arguments train(const char* command, const Arguments& options) const {
    Arguments arguments{command,    path("data.csv"), "--target", "y",     "--id",    "name",
                        "--kernel", "matern52",       "--assess", "inner", "--robust"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

TEST_F(RobustCommand, NamesTheRowsAndKeepsThemOutOfTheScores) {
  const Json json = succeed_json(train("fit", {"-o", path("model.h5"), "--json"}));
  const Json& rows = json.at("robust").at("distrusted");
  ASSERT_EQ(rows.size(), 3U);
  for (const Json& row : rows) {
    EXPECT_EQ(row.at("row").get<int>() % 40, 8) << "counted from 1";
    EXPECT_EQ(row.at("id").get<std::string>(), "r" + std::to_string(row.at("row").get<int>() - 1));
    EXPECT_GT(row.at("deviations").get<double>(), 20);
    EXPECT_LT(row.at("weight").get<double>(), 0.05);
  }
  EXPECT_LT(json.at("cv_rmse").get<double>(), 0.15);
  EXPECT_EQ(json.at("held_out").at("rows").get<int>(), 117);
  EXPECT_NEAR(json.at("noise_std").get<double>(), 0.1, 0.03);
  EXPECT_GT(json.at("seconds").at("weigh").get<double>(), 0);
  const NumberTable table = succeed_table({"predict", path("model.h5"), path("new.csv")});
  EXPECT_NEAR(table["mean"][0], std::sin(0.5), 0.12);
  EXPECT_LT(table["std"][0], 0.2);
  EXPECT_THAT(succeed({"info", path("model.h5")}), HasSubstr("robust"));
}

TEST_F(RobustCommand, SaysItInWords) {
  const std::string told = succeed(train("fit", {"--report", path("page.html"), "-o", path("model.h5")}));
  EXPECT_THAT(told, HasSubstr("3 of 120 rows contradict the model and have little weight"));
  EXPECT_THAT(told, HasSubstr("(r"));
  EXPECT_THAT(read("page.html"), HasSubstr("row of little weight"));
}

TEST_F(RobustCommand, HeldOutPredictionsHaveAllRowsAndScoresTheTrustedOnes) {
  const Json scores = succeed_json(train("cv", {"-o", path("held.csv"), "--json"}));
  EXPECT_EQ(scores.at("n").get<int>(), 117);
  const std::string table = read("held.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 121);
  EXPECT_THAT(succeed({"compare", path("data.csv"), "--target", "y", "--id", "name", "--kernels", "se; matern32",
                       "--robust", "--quiet"}),
              HasSubstr("se"));
}

}  // namespace
}  // namespace gpcv
