// Several targets of one table, as a user asks for them.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TargetsCommand : public CommandTest {
 protected:
  void SetUp() override {
    write("full.csv", table(false));
    write("holes.csv", table(true));
  }
  /// Names, two inputs and three targets, of which the first may have missing cells.
  static std::string table(bool holes) {
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> uniform(-2, 2);
    std::normal_distribution<double> noise(0, 0.1);
    std::ostringstream text;
    text.precision(17);
    text << "name,u,wind speed,a,\"b, in kg\",c/d\n";
    for (int i = 0; i < 60; ++i) {
      const double u = uniform(random), w = 500 + 50 * uniform(random);
      const double a = std::sin(2 * u) + noise(random);
      text << 'r' << i << ',' << u << ',' << w << ',';
      if (!holes || i % 6 != 4) text << a;
      text << ',' << u * u + noise(random) << ',' << 0.01 * w + u + noise(random) << '\n';
    }
    return text.str();
  }
  Arguments fit(const std::string& file, const std::string& targets, const Arguments& options) const {
    Arguments arguments{"fit", path(file), "--target", targets, "--id", "name", "--folds", "4"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
  /// Trains the three targets into m.h5.
  std::string train(const std::string& file = "full.csv", const Arguments& options = {}) const {
    Arguments all{"-o", path("m.h5"), "--missing", "drop"};
    all.insert(all.end(), options.begin(), options.end());
    return succeed(fit(file, "a,b, in kg,c/d", all));
  }
};

TEST_F(TargetsCommand, AreTrainedPredictedAndEvaluated) {
  const std::string told = train();
  for (const char* heading : {"target 1 of 3: a\n", "\ntarget 2 of 3: b, in kg\n", "\ntarget 3 of 3: c/d\n"}) {
    EXPECT_THAT(told, HasSubstr(heading));
  }
  EXPECT_THAT(told, HasSubstr("c/d from u, wind speed"));
  EXPECT_THAT(told, HasSubstr("\ntarget         rows      cv rmse       SMSE  kernel\n"));
  EXPECT_THAT(told, HasSubstr("model      " + path("m.h5")));
  EXPECT_THAT(told, Not(HasSubstr("not written")));

  const std::string predicted = succeed({"predict", path("m.h5"), path("full.csv"), "--keep", "u"});
  EXPECT_THAT(predicted,
              ::testing::StartsWith("name,u,a.mean,a.std,a.lower,a.upper,\"b, in kg.mean\",\"b, in kg.std\","
                                    "\"b, in kg.lower\",\"b, in kg.upper\",c/d.mean,c/d.std,c/d.lower,c/d.upper\nr0,"));
  EXPECT_EQ(std::count(predicted.begin(), predicted.end(), '\n'), 61);

  const std::string scores = succeed({"evaluate", path("m.h5"), path("full.csv")});
  EXPECT_THAT(scores, ::testing::StartsWith("target    a\nrows      60\n"));
  EXPECT_THAT(scores, HasSubstr("\n\ntarget    c/d\nrows      60\n"));
  const Json json = succeed_json({"evaluate", path("m.h5"), path("full.csv"), "--json"});
  ASSERT_EQ(json.at("targets").size(), 3U);
  EXPECT_EQ(json.at("targets")[1].at("target"), "b, in kg");
  for (const Json& target : json.at("targets")) EXPECT_LT(target.at("smse").get<double>(), 0.05);
}

TEST_F(TargetsCommand, PredictionsOfEachAreThoseOfATrainingOfItAlone) {
  train();
  for (const std::string target : {"a", "b, in kg", "c/d"}) {
    succeed(fit("full.csv", target, {"--features", "u,wind speed", "-o", path("one.h5")}));
    EXPECT_EQ(succeed({"predict", path("one.h5"), path("full.csv"), "--quantiles", "0.1,0.9"}),
              succeed({"predict", path("m.h5"), path("full.csv"), "--quantiles", "0.1,0.9", "--target", target}));
  }
}

TEST_F(TargetsCommand, AMissingCellOfOneLeavesTheRowToTheOthers) {
  const std::string told = train("holes.csv");
  EXPECT_THAT(told, HasSubstr("holes.csv: 50 rows\n"));
  EXPECT_THAT(told, HasSubstr("10 cells are missing in 10 rows ('a' 10): these rows are left out"));
  EXPECT_THAT(told, HasSubstr("holes.csv: 60 rows\n"));
  succeed(fit("full.csv", "c/d", {"--features", "u,wind speed", "-o", path("one.h5")}));
  EXPECT_EQ(succeed({"predict", path("one.h5"), path("full.csv")}),
            succeed({"predict", path("m.h5"), path("full.csv"), "--target", "c/d"}));
  EXPECT_THAT(succeed({"evaluate", path("m.h5"), path("holes.csv"), "--missing", "drop"}),
              HasSubstr("left out  10 rows with missing cells\n\ntarget    b, in kg\nrows      60\n"));
  refuse(fit("holes.csv", "a,c/d", {}), {"column 'a': the cell is empty", "--missing drop leaves the row out"});
  refuse({"evaluate", path("m.h5"), path("holes.csv")}, {"column 'a': the cell is empty", "--missing drop"});
}

TEST_F(TargetsCommand, AreListedAndDescribedOneByOne) {
  train();
  const std::string list = succeed({"info", path("m.h5")});
  EXPECT_THAT(list, HasSubstr("m.h5: 3 targets from 2 inputs\n"));
  EXPECT_THAT(list, HasSubstr("b, in kg         60"));
  EXPECT_THAT(list, HasSubstr("se(ard)\n"));
  EXPECT_THAT(list, HasSubstr("--target NAME"));
  const std::string page = succeed({"info", path("m.h5"), "--target", "c/d"});
  EXPECT_THAT(page, HasSubstr("m.h5: c/d from 60 rows and 2 inputs"));
  EXPECT_THAT(page, HasSubstr("--target 'c/d' NEW.csv"));
  succeed({"report", path("m.h5"), "--target", "b, in kg", "-o", path("b.html")});
  EXPECT_THAT(read("b.html"), HasSubstr("b, in kg"));
  EXPECT_THAT(succeed({"plot", path("m.h5"), "--target", "a"}), HasSubstr("<svg"));
}

TEST_F(TargetsCommand, WhatTakesOneAsksForItInOneLine) {
  train();
  const std::vector<std::string> names{"'a', 'b, in kg', 'c/d'", "--target"};
  refuse({"report", path("m.h5"), "-o", path("r.html")}, names);
  refuse({"plot", path("m.h5")}, names);
  refuse({"predict", path("m.h5"), path("full.csv"), "--samples", "2"}, names);
  refuse({"predict", path("m.h5"), path("full.csv"), "--components"}, names);
  refuse({"predict", path("m.h5"), path("full.csv"), "--covariance", path("k.csv")}, names);
  refuse({"cv", path("full.csv"), "--target", "a,c/d", "--id", "name"}, {"cv takes one target", "'a', 'c/d'"});
  refuse({"compare", path("full.csv"), "--target", "a,c/d", "--id", "name"}, {"compare takes one target"});
  EXPECT_THAT(succeed({"predict", path("m.h5"), path("full.csv"), "--samples", "2", "--target", "a"}),
              HasSubstr("name,sample1,sample2\n"));
  EXPECT_EQ(files().count("r.html") + files().count("k.csv"), 0U);
}

TEST_F(TargetsCommand, WrongNamesAreOneLine) {
  refuse(fit("full.csv", "a,c/b", {}), {"no column 'c/b'; did you mean 'c/d'?"});
  refuse(fit("full.csv", "a,a", {}), {"the target 'a' is asked for twice; name it once"});
  refuse(fit("full.csv", "a,c/d", {"--features", "u,a"}), {"the target 'a' is also among the features"});
  refuse(fit("full.csv", "z*", {}), {"no column fits the pattern 'z*'"});
  refuse(fit("full.csv", "name,a", {}), {"identifies the rows cannot be the target"});
  refuse(fit("full.csv", "a", {"--share-kernel"}), {"--share-kernel needs several targets"});
  train();
  refuse({"info", path("m.h5"), "--target", "c/e"}, {"no target 'c/e'; did you mean 'c/d'? the model has 'a'"});
  refuse({"predict", path("m.h5"), path("full.csv"), "--target", "a,x"}, {"no target 'x'"});
}

TEST_F(TargetsCommand, ATextThatNamesAColumnIsThatColumn) {
  const Json json = succeed_json(fit("full.csv", "b, in kg", {"--features", "u", "--json"}));
  EXPECT_EQ(json.at("target"), "b, in kg");
  EXPECT_EQ(succeed_json(fit("full.csv", "-1", {"--features", "u", "--json"})).at("target"), "c/d");
}

TEST_F(TargetsCommand, PatternsAndPipes) {
  std::ifstream input(path("full.csv"));
  const Json json = succeed_json(fit("full.csv", "c*,a", {"--features", "u", "--json"}));
  ASSERT_EQ(json.at("targets").size(), 2U);
  EXPECT_EQ(json.at("targets")[0].at("target"), "c/d");
  EXPECT_THAT(json.at("targets")[1].at("features"), ElementsAre("u"));
  EXPECT_EQ(json.at("targets")[1].at("n").get<int>(), 60);
}

TEST_F(TargetsCommand, PagesTracesAndCheckpointsHaveAFileForEach) {
  const std::string told = succeed(fit(
      "full.csv", "a,c/d",
      {"--features", "u", "--report", path("page.html"), "--trace", path("t.csv"), "--checkpoint", path("s.ckpt")}));
  EXPECT_THAT(files(), ElementsAre("full.csv", "holes.csv", "page.a.html", "page.c_d.html", "s.a.ckpt", "s.c_d.ckpt",
                                   "t.a.csv", "t.c_d.csv"));
  EXPECT_THAT(told, HasSubstr("report     " + path("page.a.html") + "\nreport     " + path("page.c_d.html") + "\n"));
  EXPECT_THAT(read("page.c_d.html"), HasSubstr("c/d"));
  EXPECT_GT(read_table("t.a.csv").rows, 1U);
  refuse(fit("full.csv", "a,c/d", {"--features", "u", "--checkpoint", path("s.ckpt")}),
         {"target 'a': the checkpoint", "--resume"});
  succeed(fit("full.csv", "a,c/d", {"--features", "u", "--checkpoint", path("s.ckpt"), "--resume"}));
}

TEST_F(TargetsCommand, ATrainingStartsFromAnEarlierOne) {
  train();
  const std::string told = succeed(fit("full.csv", "c/d,a", {"--features", "u,wind speed", "--warm", path("m.h5")}));
  EXPECT_THAT(told, HasSubstr("target 2 of 2: a"));
  succeed(fit("full.csv", "a", {"--features", "u,wind speed", "--warm", path("m.h5")}));
  succeed(fit("full.csv", "a", {"--features", "u,wind speed", "-o", path("one.h5")}));
  refuse(fit("full.csv", "a,c/d", {"--features", "u,wind speed", "--warm", path("one.h5")}),
         {"no target 'c/d'", "the model has 'a'"});
}

TEST_F(TargetsCommand, CheckExaminesEach) {
  const Finished result = gpcv({"check", path("holes.csv"), "--target", "a,c/d", "--id", "name", "--features", "u"});
  EXPECT_EQ(result.exit_code, 2) << "the first has missing cells";
  EXPECT_THAT(result.out, HasSubstr("target   a\n"));
  EXPECT_THAT(result.out, HasSubstr("verdict  training would be refused\n\ntarget   c/d\n"));
  const Json json = succeed_json({"check", path("full.csv"), "--target", "a,c/d", "--features", "u", "--json"});
  EXPECT_EQ(json.at("targets")[1].at("target"), "c/d");
  EXPECT_TRUE(json.at("targets")[1].at("would_train").get<bool>());
}

TEST_F(TargetsCommand, MayShareTheirKernel) {
  const Arguments inputs{"--features", "u,wind speed", "--missing", "drop", "--share-kernel"};
  const auto shared = [&](Arguments more) {
    more.insert(more.begin(), inputs.begin(), inputs.end());
    return fit("holes.csv", "a,b, in kg,c/d", more);
  };
  const Json targets = succeed_json(shared({"--json", "-o", path("m.h5")})).at("targets");
  ASSERT_EQ(targets.size(), 3U);
  EXPECT_EQ(targets[0].at("n").get<int>(), 50);
  EXPECT_EQ(targets[2].at("n").get<int>(), 60);
  for (const Json& target : targets) EXPECT_GT(target.at("cv_rmse").get<double>(), 0);
  EXPECT_EQ(targets[1].at("parameters").at("se.l[0]"), targets[2].at("parameters").at("se.l[0]"));
  const std::string told = succeed(shared({"--warm", path("m.h5")}));
  EXPECT_THAT(told, HasSubstr("a, b, in kg, c/d from u, wind speed\n"));
  EXPECT_THAT(told, HasSubstr("\ntarget 3 of 3: c/d\nstatus "));
  refuse(shared({"--checkpoint", path("s.ckpt")}), {"leave out --checkpoint"});
  refuse(shared({"--robust"}), {"leave out --share-kernel"});
}

TEST_F(TargetsCommand, IntervalsOfEachAreCalibrated) {
  train("full.csv", {"--calibration", "0.3", "--quiet"});
  const Arguments predict{"predict", path("m.h5"), path("full.csv"), "--conformal", "--interval", "0.8"};
  EXPECT_THAT(succeed(predict), HasSubstr(",c/d.lower,c/d.upper\nr0,"));
  refuse({"predict", path("m.h5"), path("full.csv"), "--conformal", "--interval", "0.99"}, {"calibration"});
}

}  // namespace
}  // namespace gpcv
