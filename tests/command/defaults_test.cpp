/// The defaults of a user who types nothing but the table and the target.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

using Defaults = CommandTest;

TEST_F(Defaults, ChooseAKernelNestTheErrorAndSaySo) {
  write("data.csv", wave(80));
  const Json json = succeed_json({"defaults", "fit", path("data.csv"), "--target", "y", "--json", "-o", path("m.h5"),
                                  "--candidates", "se,matern32,seasonal"});
  EXPECT_EQ(json.at("assessment"), "nested");
  EXPECT_GE(json.at("kernels").size(), 2u);
  EXPECT_EQ(json.at("kernels")[0].at("behind"), 0);
  EXPECT_LT(json.at("smse").get<double>(), 0.1);
  EXPECT_GT(json.at("cv_rmse").get<double>(), 0.2) << "the noise";

  const std::string text = succeed({"defaults", "fit", path("data.csv"), "--target", "y", "--candidates", "se,rq"});
  EXPECT_THAT(text, HasSubstr("chosen by cross-validation"));
  EXPECT_THAT(text, HasSubstr("(chosen)"));
  EXPECT_THAT(text, HasSubstr("each repeated the training"));

  // What a user types back gives the kernel again, and a model that starts from this one keeps it.
  const std::string kernel = json.at("kernels")[0].at("kernel");
  const Json typed = succeed_json({"fit", path("data.csv"), "--target", "y", "--kernel", kernel, "--json"});
  EXPECT_NEAR(typed.at("cv_rmse").get<double>() / json.at("inner_rmse").get<double>(), 1, 0.1);
  const Json warm =
      succeed_json({"defaults", "fit", path("data.csv"), "--target", "y", "--warm", path("m.h5"), "--json"});
  EXPECT_EQ(warm.at("kernels").size(), 0u);
}

TEST_F(Defaults, QuantilesAreThoseOfTheInterval) {
  write("data.csv", wave(60));
  succeed({"fit", path("data.csv"), "--target", "y", "--quiet", "-o", path("m.h5")});
  const NumberTable table =
      succeed_table({"predict", path("m.h5"), path("data.csv"), "--interval", "0.9", "--quantiles", "0.05,0.5,0.95"});
  ASSERT_EQ(table.names, (std::vector<std::string>{"mean", "std", "lower", "upper", "q0.05", "q0.5", "q0.95"}));
  for (std::size_t i = 0; i < table["mean"].size(); ++i) {
    EXPECT_NEAR(table["q0.05"][i], table["lower"][i], 1e-9);
    EXPECT_NEAR(table["q0.5"][i], table["mean"][i], 1e-12);
    EXPECT_NEAR(table["q0.95"][i], table["upper"][i], 1e-9);
  }
  refuse({"predict", path("m.h5"), path("data.csv"), "--quantiles", "1.5"}, {"--quantiles"});
}

TEST_F(Defaults, NoiseIsSaidToBeNoise) {
  std::string text = "x,y\n";
  unsigned state = 7;
  for (int i = 0; i < 80; ++i) {
    state = state * 1664525U + 1013904223U;
    text += std::to_string(i % 40) + "," + std::to_string(state >> 8) + "\n";
  }
  write("noise.csv", text);
  const Json json =
      succeed_json({"defaults", "fit", path("noise.csv"), "--target", "y", "--candidates", "se", "--json"});
  EXPECT_THAT(json.at("findings").dump(), HasSubstr("no better than the mean"));
}

TEST_F(Defaults, TheChoiceIsRestrictedByNameAndOnlyWhereThereIsOne) {
  write("data.csv", wave(40));
  refuse({"defaults", "fit", path("data.csv"), "--target", "y", "--candidates", "sea"}, {"no candidate 'sea'"});
  refuse({"defaults", "fit", path("data.csv"), "--target", "y", "--kernel", "se", "--candidates", "se"},
         {"--candidates", "--kernel auto"});
  const Json paper = Json::parse(gpcv({"defaults", "fit", path("data.csv"), "--target", "y", "--trainer", "naive",
                                       "--max-iterations", "2", "--json"})
                                     .out);
  EXPECT_EQ(paper.at("assessment"), "inner");
  EXPECT_THAT(paper.at("kernel").get<std::string>(), ::testing::StartsWith("se("));
}

}  // namespace
}  // namespace gpcv
