/// Folds in time order from the command line.
#include <cmath>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class TimeFolds : public CommandTest {
 protected:
  struct Row {
    int t;
    double x, y;
  };
  /// 40 rows, t from 1960 to 1999 in no order; y depends on x and drifts with t.
  static std::vector<Row> history() {
    std::vector<Row> rows;
    for (int i = 0; i < 40; ++i) {
      const int t = 1960 + (i * 17) % 40;
      const double x = std::fmod(i * 0.618, 1.0) * 6;
      rows.push_back({t, x, std::sin(x) + 0.05 * (t - 1980) + 0.1 * std::sin(100.0 * i)});
    }
    return rows;
  }
  /// The rows with first ≤ t < end.
  static std::string table(int first, int end, const std::string& after_year = "") {
    std::ostringstream text;
    text.precision(17);
    text << "t,x,y\n";
    for (const Row& row : history()) {
      if (row.t >= first && row.t < end) text << row.t << after_year << ',' << row.x << ',' << row.y << '\n';
    }
    return text.str();
  }
  /// Fit with everything held, so that only the folds matter.
  Json fit(const std::string& name, const Arguments& more) const {
    Arguments arguments{"fit",     path(name),  "--target",         "y",     "--kernel", "se(l=1.5:fixed, s2=3:fixed)",
                        "--noise", "0.1:fixed", "--no-standardize", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return succeed_json(arguments);
  }
  /// Sum of squared errors at [cut, end) of a model trained on everything before.
  double squares(int cut, int end, const Arguments& more) const {
    write("before.csv", table(0, cut));
    write("block.csv", table(cut, end));
    Arguments arguments = more;
    arguments.insert(arguments.end(), {"-o", path("before.h5")});
    fit("before.csv", arguments);
    const Finished scored = gpcv({"evaluate", path("before.h5"), path("block.csv"), "--json"});
    EXPECT_EQ(scored.exit_code, 0) << scored.err;  // it may tell of rows far outside
    const double rmse = Json::parse(scored.out).at("rmse");
    return (end - cut) * rmse * rmse;
  }
  void refuse_time(const std::string& time, const std::vector<std::string>& parts, const Arguments& more = {}) const {
    Arguments arguments{"fit", path("all.csv"), "--target", "y", "--time", time, "-o", path("model.h5")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    refuse(arguments, parts);
    EXPECT_EQ(files().count("model.h5"), 0u);
  }
  void SetUp() override { write("all.csv", table(0, 3000)); }
};

TEST_F(TimeFolds, PredictEachBlockFromEverythingBeforeIt) {
  // 40 rows in 4 pieces of 10: blocks from 1970, 1980 and 1990 on.
  const double by_hand = std::sqrt((squares(1970, 1980, {}) + squares(1980, 1990, {}) + squares(1990, 2000, {})) / 30);
  for (const char* solver : {"cholesky", "auto"}) {
    const Json json = fit("all.csv", {"--time", "t:3", "--solver", solver});
    EXPECT_NEAR(json.at("cv_rmse"), by_hand, 1e-9) << solver;
    EXPECT_EQ(json.at("folds"), "3 blocks in time order, each trained on all before it");
    EXPECT_EQ(json.at("d"), 2) << "the time column is an input unless the features say otherwise";
  }
  EXPECT_NEAR(fit("all.csv", {"--time", "t:3", "--solver", "cg"}).at("cv_rmse"), by_hand, 1e-4 * by_hand);
  EXPECT_EQ(fit("all.csv", {"--time", "t"}).at("folds"), "5 blocks in time order, each trained on all before it");
}

TEST_F(TimeFolds, OfAWidthPredictOnlySoFarAhead) {
  // The span is 39: cuts at 1969.75, 1982.875 and 1996.
  const double by_hand = std::sqrt((squares(1970, 1973, {}) + squares(1983, 1986, {}) + squares(1996, 2000, {})) / 10);
  const Json json = fit("all.csv", {"--time", "t:3:3"});
  EXPECT_NEAR(json.at("cv_rmse"), by_hand, 1e-9);
  EXPECT_EQ(json.at("folds"), "3 blocks in time order, each of width 3 and trained on all before it");
  EXPECT_NEAR(fit("all.csv", {"--time", "t:3:3", "--solver", "cg"}).at("cv_rmse"), by_hand, 1e-4 * by_hand);
}

TEST_F(TimeFolds, MayBeOrderedByAColumnThatIsNoFeature) {
  const Arguments only_x{"--features", "x"};
  const double by_hand = std::sqrt((squares(1980, 2000, only_x)) / 20);
  for (const char* time : {"t:1", "0:1", "-3:1"}) {
    const Json json = fit("all.csv", {"--features", "x", "--time", time, "-o", path("model.h5")});
    EXPECT_EQ(json.at("d"), 1);
    EXPECT_NEAR(json.at("cv_rmse"), by_hand, 1e-9);
  }
  // The drift that lies ahead is not in x: the past predicts it badly, rows at random do not show that.
  EXPECT_GT(by_hand, 1.2 * fit("all.csv", {"--features", "x"}).at("cv_rmse").get<double>());
  write("inputs.csv", "x\n1\n2\n");
  EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("inputs.csv")}).rows, 2u) << "no time is needed";
}

TEST_F(TimeFolds, CountDatesInYears) {
  write("dates.csv", table(0, 3000, "-01-01"));
  const auto error = [&](const std::string& name, const std::string& time) {
    return fit(name, {"--features", "x", "--time", time}).at("cv_rmse").get<double>();
  };
  EXPECT_EQ(error("dates.csv", "t:3:5"), error("all.csv", "t:3:5"));
  EXPECT_NE(error("dates.csv", "t:3:5"), error("dates.csv", "t:3:6"));
}

TEST_F(TimeFolds, AreRefusedWithWhatIsPossible) {
  refuse_time("when:3", {"all.csv", "no column 'when'", "'t', 'x', 'y'"});
  refuse_time("t:many", {"no column 't:many'", "'t', 'x', 'y'"});
  refuse_time("7:3", {"index 7 is out of range", "3 columns"});
  refuse_time("y:3", {"'y' is the target"});
  refuse_time("t:40", {"40 blocks", "the data have 40", "fewer"});
  refuse_time("t:0", {"'t:0'", "at least 1"});
  refuse_time("t:2.5", {"'2.5'", "at least 1"});
  refuse_time("t:5:8", {"5 blocks of width 8 would overlap", "3 fit", "span 39"});
  refuse_time("t:1:39", {"no block of width 39 fits", "smaller width"});
  refuse_time("t:3:-1", {"'-1'", "positive"});
  refuse_time("t:3:0.2", {"block 1 of 3", "no rows to validate"});
  refuse_time("", {"COLUMN[:BLOCKS[:WIDTH]]"});
  refuse_time(":3", {"COLUMN[:BLOCKS[:WIDTH]]"});
  refuse_time("t", {"--time", "--folds"}, {"--folds", "3"});
  refuse_time("t", {"--time", "--holdout"}, {"--holdout", "0.3"});
}

TEST_F(TimeFolds, AreRefusedWhereATimeIsMissingOrNoNumber) {
  write("all.csv", "t,x,y\n1,1,2\n2,2,3\nsoon,3,5\n4,4,4\n5,5,4.5\n");
  refuse_time("t:2", {"all.csv:4:1", "'t'", "'soon'"}, {"--features", "x"});
  write("all.csv", "t,x,y\n1,1,2\n2,2,3\n3,3,5\n,4,4\n5,5,4.5\n");
  refuse_time("t:2", {"all.csv:5:1", "'t'", "empty"}, {"--features", "x"});
  write("all.csv", "t,x,y\n2000-01-01,1,2\n2001-01-01,2,3\n2002,3,5\n2003-01-01,4,4\n");
  refuse_time("t:2", {"all.csv:4:1", "'2002'", "date"}, {"--features", "x"});
  write("all.csv", "t,x,y\n1,1,2\n1,2,3\n1,3,5\n1,4,4\n1,5,4.5\n");
  refuse_time("t:2", {"same time"}, {"--features", "x"});
}

}  // namespace
}  // namespace gpcv
