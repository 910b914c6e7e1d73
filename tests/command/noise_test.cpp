// Learned noise as a user asks for it.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class NoiseCommand : public CommandTest {
 protected:
  void SetUp() override {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::ostringstream text;
    text << "x,y,w\n";
    for (int i = 0; i < 160; ++i) {
      const double x = 0.05 * i;
      text << x << ',' << std::sin(x) + 0.1 * std::exp(0.3 * x) * normal(random) << ",1\n";
    }
    write("data.csv", text.str());
    write("new.csv", "x\n0.5\n7.5\n");
  }
  Arguments train(const char* command, const Arguments& options) const {
    Arguments arguments{command,    path("data.csv"), "--target", "y",     "--features", "x",
                        "--kernel", "matern52",       "--assess", "inner", "--restarts", "1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

TEST_F(NoiseCommand, PredictsIntervalsThatFollowTheNoise) {
  const Json json = succeed_json(train("fit", {"--noise", "learned", "-o", path("model.h5"), "--json"}));
  const Json& noise = json.at("noise_model");
  EXPECT_EQ(noise.at("asked"), "learned");
  EXPECT_EQ(noise.at("learned"), true);
  EXPECT_EQ(noise.at("inputs"), Json::array({"x"}));
  EXPECT_GT(noise.at("gain").get<double>(), 0.05);
  EXPECT_GT(noise.at("high").get<double>(), 3 * noise.at("low").get<double>());
  const NumberTable table = succeed_table({"predict", path("model.h5"), path("new.csv")});
  EXPECT_GT(table["upper"][1] - table["lower"][1], 2.5 * (table["upper"][0] - table["lower"][0]));
  const NumberTable latent = succeed_table({"predict", path("model.h5"), path("new.csv"), "--latent"});
  EXPECT_LT(latent["std"][1], 0.7 * table["std"][1]);
  const NumberTable draws = succeed_table({"predict", path("model.h5"), path("new.csv"), "--samples", "2"});
  EXPECT_EQ(draws.rows, 2U);
  const Json scores = succeed_json({"evaluate", path("model.h5"), path("data.csv"), "--json"});
  EXPECT_NEAR(scores.at("coverage95").get<double>(), 0.95, 0.05);
  EXPECT_THAT(succeed({"info", path("model.h5")}), HasSubstr("The noise is learned over x"));
  succeed({"report", path("model.h5"), "-o", path("report.html")});
  EXPECT_THAT(read("report.html"), HasSubstr("\"noise\":{\"text\":\"learned over x"));
}

TEST_F(NoiseCommand, TellsWhatWasLearned) {
  const std::string text = succeed(train("fit", {"--noise", "auto"}));
  EXPECT_THAT(text, HasSubstr("learned over x: from"));
  EXPECT_THAT(text, HasSubstr("above that of constant noise"));
}

TEST_F(NoiseCommand, RefusesOptionsThatContradictIt) {
  refuse(train("fit", {"--noise", "learned", "--noise-column", "w"}), {"--noise-column"});
  refuse(train("fit", {"--noise", "auto", "--weight-column", "w"}), {"--weight-column"});
  refuse(train("fit", {"--noise", "learned:fixed"}), {"noise 'learned:fixed'", "learned or auto"});
  refuse(train("fit", {"--noise", "learned", "--trainer", "likelihood"}), {"trainer likelihood", "gauss-newton"});
  refuse(train("fit", {"--noise", "learned", "--checkpoint", path("c")}), {"checkpoint"});
  refuse(train("fit", {"--noise", "learned", "--robust"}), {"--robust"});
  const Finished check = gpcv(train("check", {"--noise", "learned", "--trainer", "likelihood"}));
  EXPECT_THAT(check.out, HasSubstr("cannot learn the noise")) << "check foresees it";
}

}  // namespace
}  // namespace gpcv
