// Folds that keep together what belongs together, and what cv says of rows it held out.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class FoldsCommand : public CommandTest {
 protected:
  /// Ten sites of ten rows, each with its own level.
  static std::string sites(bool missing = false) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::ostringstream text;
    text << "x,site,part,y\n";
    for (int site = 0; site < 10; ++site) {
      const double level = normal(random);
      for (int i = 0; i < 10; ++i) {
        const double x = normal(random);
        text << x << ",s" << site << ','
             << (missing && i == 0 ? ""
                 : i % 2 == 0      ? "even"
                                   : "odd")
             << ',' << level + 0.3 * x + 0.1 * normal(random) << '\n';
      }
    }
    return text.str();
  }
  Arguments cv(const Arguments& options) const {
    Arguments arguments{"cv", path("data.csv"), "--target", "y", "--features", "x", "--quiet"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

TEST_F(FoldsCommand, CvWritesEveryRowOnceWithItsFold) {
  write("data.csv", sites());
  const NumberTable table = succeed_table(cv({}));
  EXPECT_EQ(table.names, (std::vector<std::string>{"row", "fold", "target", "mean", "std", "lower", "upper"}));
  EXPECT_EQ(table.rows, 100u);
  for (std::size_t i = 0; i < table.rows; ++i) {
    EXPECT_EQ(table["row"][i], static_cast<double>(i));
    EXPECT_GT(table["std"][i], 0);
    EXPECT_NEAR(table["upper"][i] - table["lower"][i], 2 * 1.959964 * table["std"][i], 1e-5);
  }
  EXPECT_EQ(std::set<double>(table["fold"].begin(), table["fold"].end()).size(), 5u);
}

TEST_F(FoldsCommand, CvToAFileSaysHowGoodItIs) {
  write("data.csv", sites());
  Arguments arguments{"cv", path("data.csv"), "--target", "y", "--features", "x", "-o", path("out.csv")};
  const std::string said = succeed(arguments);
  EXPECT_THAT(said, HasSubstr("rmse"));
  arguments.push_back("--json");
  const Json json = succeed_json(arguments);
  const NumberTable table = parse_table(read("out.csv"));
  double sum = 0;
  for (std::size_t i = 0; i < table.rows; ++i) sum += std::pow(table["target"][i] - table["mean"][i], 2);
  EXPECT_NEAR(json.at("rmse").get<double>(), std::sqrt(sum / 100), 1e-9);
}

TEST_F(FoldsCommand, HeldOutRowsAreNumberedAsInTheTable) {
  // Row i has the target i; rows 3 and 4 lack their input, and row 20 its group.
  std::string text = "x,g,y\n";
  for (int i = 0; i < 40; ++i) {
    text += (i == 3 || i == 4 ? "" : std::to_string(std::sin(i))) + "," + (i == 20 ? "" : "g" + std::to_string(i % 7)) +
            "," + std::to_string(i) + "\n";
  }
  write("data.csv", text);
  const NumberTable held = succeed_table(cv({"--missing", "drop", "--groups", "g"}));
  EXPECT_EQ(held.rows, 37u) << "a row without its group is left out like one without its input";
  for (std::size_t i = 0; i < held.rows; ++i) EXPECT_NEAR(held["row"][i], held["target"][i], 1e-9);
  refuse(cv({"--groups", "g"}), {"data.csv:5:1", "'x'", "empty"});
  const Finished check = gpcv({"check", path("data.csv"), "--target", "y", "--groups", "g", "--missing", "drop"});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  EXPECT_THAT(check.out, HasSubstr("3 cells are missing in 3 rows ('x' 2, 'g' 1)"));
}

TEST_F(FoldsCommand, GroupsAreHarderThanRandomRows) {
  // Rows of one site share a level: random folds see it, folds by site do not.
  write("data.csv", sites());
  const auto rmse = [&](const Arguments& options) {
    Arguments arguments{"fit",    path("data.csv"), "--target", "y",     "--features",
                        "x,site", "--categorical",  "site",     "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return succeed_json(arguments).at("cv_rmse").get<double>();
  };
  EXPECT_GT(rmse({"--groups", "site"}), 3 * rmse({}));
}

TEST_F(FoldsCommand, EachKindOfFoldIsNamedInTheResult) {
  write("data.csv", sites());
  const auto folds = [&](const Arguments& options) {
    Arguments arguments{"fit", path("data.csv"), "--target", "y", "--features", "x", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return succeed_json(arguments).at("folds").get<std::string>();
  };
  EXPECT_THAT(folds({"--groups", "site"}), HasSubstr("5 folds of 10 groups"));
  EXPECT_THAT(folds({"--groups", "site:3"}), HasSubstr("3 folds of 10 groups"));
  EXPECT_THAT(folds({"--blocks", "4"}), HasSubstr("4 contiguous blocks"));
  EXPECT_THAT(folds({"--blocks", "4:x"}), HasSubstr("4 contiguous blocks"));
  EXPECT_THAT(folds({"--blocks", "3:kmeans"}), HasSubstr("3 regions"));
  EXPECT_THAT(folds({"--fold-column", "part"}), HasSubstr("2 folds of the table"));
  write("data.csv", sites(true));
  EXPECT_THAT(folds({"--fold-column", "part"}), HasSubstr("10 rows only train"));
}

TEST_F(FoldsCommand, WhatMakesNoFoldsIsRefused) {
  write("data.csv", sites(true));
  refuse(cv({"--groups", "part"}), {"data.csv:2:", "column 'part'", "no group"});
  refuse(cv({"--groups", "sites"}), {"sites", "did you mean 'site'"});
  refuse(cv({"--groups", "site:1"}), {"groups 'site:1'", "at least 2"});
  refuse(cv({"--blocks", "x"}), {"blocks 'x'", "K:COLUMN"});
  refuse(cv({"--blocks", "200"}), {"200 folds", "100"});
  refuse(cv({"--fold-column", "x"}), {"100 different values", "--groups"});
  refuse(cv({"--fold-column", "y"}), {"target"});
  refuse(cv({"--groups", "site", "--blocks", "3"}), {"--groups", "--blocks"});
  refuse(cv({"--time", "site"}), {"'s0'", "not a number"});
  refuse(cv({"--json"}), {"--json", "-o"});
  write("data.csv", "x,y\n1,2\n2,3\n3,5\n4,6\n");
  refuse({"cv", path("data.csv"), "--target", "y", "--fold-column", "x"}, {"leave no column of inputs"});
}

TEST_F(FoldsCommand, CompareRanksKernels) {
  write("data.csv", surface(120));
  const Arguments compare{"compare", path("data.csv"), "--target",
                          "y",       "--kernels",      "linear(ard); se(ard);matern32(ard)"};
  const std::string text = succeed(compare);
  EXPECT_LT(text.find("se(ard)"), text.find("linear(ard)")) << text;
  EXPECT_THAT(text, HasSubstr("±"));
  Arguments as_json = compare;
  as_json.push_back("--json");
  const Json json = succeed_json(as_json);
  ASSERT_EQ(json.at("ranked").size(), 3u);
  EXPECT_EQ(json.at("ranked")[2].at("kernel"), "linear(ard)");
  EXPECT_EQ(json.at("ranked")[0].at("behind"), 0);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_GE(json.at("ranked")[i].at("cv_rmse"), json.at("ranked")[i - 1].at("cv_rmse"));
    EXPECT_GT(json.at("ranked")[i].at("cv_rmse_error"), 0);
  }
  Arguments cut_short = compare;
  cut_short.insert(cut_short.end(), {"--max-iterations", "1", "--restarts", "1", "--quiet"});
  const Finished draft = gpcv(cut_short);
  EXPECT_EQ(draft.exit_code, 1) << draft.out;
  EXPECT_THAT(draft.out, HasSubstr("(not converged after 1 step"));
  refuse({"compare", path("data.csv"), "--target", "y", "--kernels", "se(ard);se(on=[7])"}, {"column 7"});
  refuse({"compare", path("data.csv"), "--target", "y", "--kernels", "se(ard)"}, {"two kernels"});
  refuse({"compare", path("data.csv"), "--target", "y", "--kernels", "se(ard);foo"}, {"foo"}, 3);
}

}  // namespace
}  // namespace gpcv
