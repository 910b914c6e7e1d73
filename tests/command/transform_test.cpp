// Transforms of the target as a user asks for them.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class TransformCommand : public CommandTest {
 protected:
  void SetUp() override {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::ostringstream text;
    text << "x,price\n";
    for (int i = 0; i < 120; ++i) {
      const double x = 0.05 * i;
      text << x << ',' << std::exp(1 + std::sin(x) + 0.4 * normal(random)) << '\n';
    }
    write("data.csv", text.str());
    write("new.csv", "x\n0.5\n3\n7\n");
  }
  Arguments train(const char* command, const Arguments& options) const {
    Arguments arguments{command, path("data.csv"), "--target", "price", "--kernel", "matern52", "--assess", "inner"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

TEST_F(TransformCommand, PredictionsAreInUnitsOfTheTarget) {
  const Json json = succeed_json(train("fit", {"--transform", "log", "-o", path("model.h5"), "--json"}));
  EXPECT_EQ(json.at("transform"), "log");
  EXPECT_TRUE(json.at("transforms").empty());
  EXPECT_NEAR(json.at("noise_std").get<double>(), 0.4, 0.15) << "of the logarithm";
  const NumberTable table = succeed_table({"predict", path("model.h5"), path("new.csv"), "--quantiles", "0.025,0.5"});
  for (std::size_t i = 0; i < table.rows; ++i) {
    EXPECT_GT(table["lower"][i], 0);
    EXPECT_NEAR(table["lower"][i] / table["q0.025"][i], 1, 1e-9);
    EXPECT_NEAR(table["lower"][i] * table["upper"][i] / std::pow(table["q0.5"][i], 2), 1, 1e-9) << "symmetric in log";
    EXPECT_GT(table["mean"][i], table["q0.5"][i]);
  }
  const NumberTable parts = succeed_table({"predict", path("model.h5"), path("new.csv"), "--components"});
  EXPECT_EQ(parts.names[4], "log.offset");
  const NumberTable draws = succeed_table({"predict", path("model.h5"), path("new.csv"), "--samples", "2"});
  EXPECT_GT(draws["sample2"][0], 0);
  refuse({"predict", path("model.h5"), path("new.csv"), "--covariance", path("joint.csv")},
         {"log(price)", "joint draws"});
  const Json scores = succeed_json({"evaluate", path("model.h5"), path("data.csv"), "--json"});
  EXPECT_NEAR(scores.at("coverage95").get<double>(), 0.95, 0.05);
  const NumberTable mean = succeed_table({"predict", path("model.h5"), path("new.csv"), "--mean-only"});
  EXPECT_EQ(mean["mean"], table["mean"]);
}

TEST_F(TransformCommand, SaysWhatWasChosen) {
  const std::string told = succeed(train("fit", {"--transform", "auto"}));
  EXPECT_THAT(told,
              ::testing::ContainsRegex("transform  log, chosen by held-out rows: (CRPS [0-9.]+ % below that of none"
                                       "|none left early, its CRPS [0-9.]+ % above the best)\n"));
  EXPECT_THAT(told, HasSubstr("in the units of log(price)"));
  succeed(train("fit", {"--transform", "auto", "-o", path("model.h5"), "--quiet", "--report", path("page.html")}));
  EXPECT_THAT(read("page.html"), HasSubstr("log(price)"));
  EXPECT_THAT(succeed({"info", path("model.h5")}), HasSubstr("log(price)"));
  const std::string table = succeed(train("cv", {"--transform", "log", "--quiet"}));
  const NumberTable held = parse_table(table);
  for (const double lower : held["lower"]) EXPECT_GT(lower, 0);
  EXPECT_THAT(succeed({"plot", path("model.h5")}), HasSubstr("<svg"));
}

TEST_F(TransformCommand, InvalidValuesAreNamedBeforeAnyWork) {
  write("data.csv", "x,price\n1,3\n2,0\n3,4\n4,-2\n5,7\n6,8\n");
  refuse(train("fit", {"--transform", "log", "-o", path("model.h5")}),
         {"values above 0", "'price' has 2 others in rows 2 (0), 4 (-2)", "use --transform log:3 or yeo-johnson"});
  EXPECT_FALSE(std::filesystem::exists(path("model.h5")));
  refuse(train("fit", {"--transform", "box-cox"}), {"no 'box-cox'", "yeo-johnson"});
  refuse(train("fit", {"--transform", "log", "--noise-column", "x"}), {"--noise-column", "--transform"});
  const Finished check = gpcv({"check", path("data.csv"), "--target", "price", "--transform", "sqrt"});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_THAT(check.out, HasSubstr("row 4 (-2)"));
  EXPECT_EQ(gpcv({"check", path("data.csv"), "--target", "price", "--transform", "log:3"}).exit_code, 0);
}

TEST_F(TransformCommand, CheckpointsBelongToTheirTransform) {
  const std::string file = path("train.ckpt");
  succeed(train("fit", {"--transform", "log", "--checkpoint", file}));
  refuse(train("fit", {"--transform", "sqrt", "--checkpoint", file, "--resume"}),
         {"another training", "transform: log", "transform: sqrt"});
  succeed(train("fit", {"--transform", "log", "--checkpoint", file, "--resume"}));
}

}  // namespace
}  // namespace gpcv
