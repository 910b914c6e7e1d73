// Noise, means, categories, summands and conformal intervals as a user asks for them.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class UncertaintyCommand : public CommandTest {
 protected:
  static std::string shades(int rows) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::ostringstream text;
    text << "x,shade,sd,w,y\n";
    for (int i = 0; i < rows; ++i) {
      const double x = 2 * normal(random), sd = i % 2 == 0 ? 0.1 : 1;
      text << x << ',' << (i % 3 == 0 ? "dark" : "light") << ',' << sd << ',' << 1 / (sd * sd) << ','
           << std::sin(x) + (i % 3 == 0 ? 5 : 0) + sd * normal(random) << '\n';
    }
    return text.str();
  }
  Arguments fit(const Arguments& options) const {
    Arguments arguments{"fit", path("data.csv"), "--target", "y", "-o", path("model.h5"), "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

TEST_F(UncertaintyCommand, CategoriesAreInputs) {
  write("data.csv", shades(150));
  const Json json = succeed_json(fit({"--features", "x,shade", "--categorical", "shade"}));
  EXPECT_EQ(json.at("features"), (std::vector<std::string>{"x", "shade=dark", "shade=light"}));
  write("new.csv", "shade,x\ndark,0\nlight,0\n");
  const NumberTable table = succeed_table({"predict", path("model.h5"), path("new.csv")});
  EXPECT_NEAR(table["mean"][0], 5, 0.8);
  EXPECT_NEAR(table["mean"][1], 0, 0.8);
  write("odd.csv", "shade,x\npink,0\n");
  refuse({"predict", path("model.h5"), path("odd.csv")}, {"odd.csv:2:1", "'pink'", "'dark', 'light'"});
  write("without.csv", "x\n0\n");
  refuse({"predict", path("model.h5"), path("without.csv")}, {"no column 'shade'", "needs 'x', 'shade', the table"});
  refuse(fit({"--features", "x", "--categorical", "shade"}), {"shade", "not among the features"});
  refuse(fit({"--features", "x,shade"}), {"'dark'", "not a number"});
}

TEST_F(UncertaintyCommand, KnownNoiseIsHeldAndFollowsTheRows) {
  write("data.csv", shades(200));
  const Json json = succeed_json(fit({"--features", "x,shade", "--categorical", "shade", "--noise-column", "sd"}));
  EXPECT_NEAR(json.at("noise_std").get<double>(), std::sqrt(0.1), 1e-6) << "the geometric mean";
  write("new.csv", "x,shade,sd\n0.3,dark,0.1\n0.3,dark,1\n");
  const NumberTable table = succeed_table({"predict", path("model.h5"), path("new.csv")});
  EXPECT_NEAR(table["mean"][0], table["mean"][1], 1e-12);
  EXPECT_GT(table["std"][1], 2 * table["std"][0]);
  EXPECT_GE(table["std"][1], 1) << "known noise is not scaled away";
  succeed({"predict", path("model.h5"), path("new.csv"), "--covariance", path("joint.csv")});
  const NumberTable joint = read_table("joint.csv");
  EXPECT_NEAR(joint["row1"][0], std::pow(table["std"][0], 2), 1e-9) << "jointly as one by one";
  EXPECT_NEAR(joint["row2"][1], std::pow(table["std"][1], 2), 1e-9);
  write("plain.csv", "x,shade\n0.3,dark\n");
  const NumberTable typical = succeed_table({"predict", path("model.h5"), path("plain.csv")});
  EXPECT_GT(typical["std"][0], table["std"][0]);
  EXPECT_LT(typical["std"][0], table["std"][1]);
  succeed_json(fit({"--features", "x", "--weight-column", "w"}));
  refuse(fit({"--noise-column", "sd", "--noise", "0.1"}), {"--noise-column", "--noise"});
  refuse(fit({"--noise-column", "sd", "--weight-column", "w"}), {"--weight-column", "--noise-column"});
  refuse(fit({"--features", "x", "--noise-column", "y"}), {"noise", "target"});
  refuse(fit({"--features", "x,sd", "--noise-column", "sd"}), {"sd", "noise"});
  write("data.csv", "x,sd,y\n1,0.1,1\n2,-1,2\n3,0.1,4\n");
  refuse(fit({"--noise-column", "sd"}), {"data.csv:3:2", "positive"});
}

TEST_F(UncertaintyCommand, ConformalIntervalsNeedRowsSetAside) {
  write("data.csv", shades(200));
  write("new.csv", "x\n0.3\n1\n");
  succeed_json(fit({"--features", "x"}));
  refuse({"predict", path("model.h5"), path("new.csv"), "--conformal"}, {"no rows set aside", "--calibration"});
  succeed_json(fit({"--features", "x", "--calibration", "0.2"}));
  const NumberTable gaussian = succeed_table({"predict", path("model.h5"), path("new.csv"), "--interval", "0.9"});
  const NumberTable table =
      succeed_table({"predict", path("model.h5"), path("new.csv"), "--interval", "0.9", "--conformal"});
  EXPECT_EQ(table["std"], gaussian["std"]);
  EXPECT_NE(table["upper"], gaussian["upper"]);
  refuse({"predict", path("model.h5"), path("new.csv"), "--interval", "0.99", "--conformal"},
         {"40 calibration rows", "99 %", "at least 99"});
  refuse({"predict", path("model.h5"), path("new.csv"), "--mean-only", "--conformal"}, {"--conformal"});
  refuse({"predict", path("model.h5"), path("new.csv"), "--latent", "--conformal"}, {"--conformal", "--latent"});
  refuse({"predict", path("model.h5"), path("new.csv"), "--variance", "exact", "--conformal"}, {"--variance"});
  for (const char* other : {"--conformal", "--components"}) {
    refuse({"predict", path("model.h5"), path("new.csv"), "--samples", "3", other}, {"--samples", other});
  }
  refuse(fit({"--features", "x", "--calibration", "1"}), {"--calibration"});
  refuse(fit({"--features", "x", "--calibration", "0.001"}), {"none to calibrate on"});
}

TEST_F(UncertaintyCommand, SummandsAddUpToTheMean) {
  write("data.csv", shades(100));
  succeed_json(fit({"--features", "x", "--kernel", "se(ard) + linear(ard)", "--mean", "constant"}));
  write("new.csv", "x\n0.3\n1\n-2\n");
  const NumberTable table = succeed_table({"predict", path("model.h5"), path("new.csv"), "--components"});
  for (std::size_t i = 0; i < table.rows; ++i) {
    EXPECT_NEAR(table["mean"][i],
                table["offset"][i] + table["se.mean"][i] + table["linear.mean"][i] + table["mean.constant.mean"][i],
                1e-9);
    EXPECT_GE(table["se.std"][i], 0);
  }
  const NumberTable means =
      succeed_table({"predict", path("model.h5"), path("new.csv"), "--components", "--mean-only"});
  EXPECT_EQ(means["se.mean"], table["se.mean"]);
  refuse(fit({"--mean", "cubic"}), {"--mean"});
}

TEST_F(UncertaintyCommand, HeldOutRowsTellHowGoodIntervalsAre) {
  write("data.csv", surface(300));
  const Json held = succeed_json(fit({})).at("held_out");
  EXPECT_EQ(held.at("rows"), 300);
  EXPECT_NEAR(held.at("coverage95").get<double>(), 0.95, 0.05);
  EXPECT_EQ(held.at("calibration").size(), 20u);
  double before = 0;
  for (const Json& point : held.at("calibration")) {
    EXPECT_GE(point.at("covered").get<double>(), before);
    before = point.at("covered").get<double>();
  }
  EXPECT_TRUE(held.at("nlpd").is_number());
  EXPECT_TRUE(held.at("crps").is_number());
}

}  // namespace
}  // namespace gpcv
