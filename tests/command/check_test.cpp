/// A table looked at before anything is trained on it.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Check : public CommandTest {
 protected:
  /// Runs check on a file with these options; expects nothing on standard error.
  std::string check(const std::string& name, const Arguments& options, int exit_code) const {
    Arguments arguments{"check", path(name), "--target", "y", "--threads", "1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished result = gpcv(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << described(arguments) << result.out << result.err;
    EXPECT_EQ(result.err, "") << described(arguments);
    return result.out;
  }
  /// Codes of the findings of at least a warning, or of all.
  static std::vector<std::string> codes(const Json& json, bool notes = false) {
    std::vector<std::string> result;
    for (const Json& finding : json.at("findings")) {
      EXPECT_EQ(finding.size(), 3u);
      EXPECT_FALSE(finding.at("text").get<std::string>().empty());
      if (notes || finding.at("severity") != "note") result.push_back(finding.at("code"));
    }
    return result;
  }
  Json check_json(const std::string& name, Arguments options, int exit_code) const {
    options.emplace_back("--json");
    const Json json = Json::parse(check(name, options, exit_code));
    EXPECT_EQ(json.at("would_train"), exit_code == 0);
    return json;
  }
  /// Expects a refusal: exit code 2 and an error that holds every part, as text and as JSON.
  void refuse_check(const std::string& name, const std::string& code, const std::vector<std::string>& parts,
                    const Arguments& options = {}) const {
    SCOPED_TRACE(name);
    const std::string text = check(name, options, 2);
    EXPECT_THAT(text, EndsWith("verdict  training would be refused\n"));
    for (const std::string& part : parts) EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, HasSubstr("error    "));
    const Json json = check_json(name, options, 2);
    const Json& last = json.at("findings").back();
    for (const Json& finding : json.at("findings")) {
      if (finding.at("code") != code) continue;
      EXPECT_EQ(finding.at("severity"), "error");
      for (const std::string& part : parts) EXPECT_THAT(finding.at("text").get<std::string>(), HasSubstr(part));
      return;
    }
    ADD_FAILURE() << "no finding '" << code << "', the last is " << last.dump();
  }
};

/// Rows of a surface without any oddity, as lines.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST_F(Check, OfASoundTableTellsSizeMemoryAndTime) {
  write("data.csv", surface(200));
  const std::string text = check("data.csv", {}, 0);
  EXPECT_THAT(text, HasSubstr("note     200 rows, 3 inputs ('a', 'b', 'c'), target 'y'\n"));
  EXPECT_THAT(text, ContainsRegex("note     training and predicting the folds take .*iB of .*iB: after training "));
  EXPECT_THAT(
      text, ContainsRegex(
                "note     the choice of a kernel, training and outer folds take an estimated [0-9.]+ s on 1 thread\n"));
  EXPECT_THAT(text, EndsWith("verdict  training would start\n"));
  const Json json = check_json("data.csv", {}, 0);
  EXPECT_THAT(codes(json, true), ElementsAre("size", "memory", "time"));
  EXPECT_THAT(codes(check_json("data.csv", {"--trainer", "likelihood"}, 0), true),
              ElementsAre("size", "memory", "time"));
  EXPECT_THAT(codes(check_json("data.csv", {"--trainer", "consensus", "--folds", "3"}, 0), true),
              ElementsAre("size", "memory", "time"));
  EXPECT_THAT(check("data.csv", {"--trainer", "admm"}, 0),
              HasSubstr("note     cannot estimate the run time of admm; --time-limit SECONDS keeps"));
  EXPECT_EQ(files().size(), 1u) << "nothing is written";
}

TEST_F(Check, FindsWhatIsOdd) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::ostringstream text;
  text << "day,one,a,b,wide,y\n";
  for (int i = 0; i < 200; ++i) {
    const double a = normal(random);
    text << 2000 + i / 12 << '-' << (i % 12 < 9 ? "0" : "") << i % 12 + 1 << "-01,1," << a << ',' << 2 * a << ','
         << std::pow(10.0, 6 * normal(random)) << ',' << (i == 30 ? 1e4 : normal(random)) << '\n';
  }
  write("odd.csv", text.str());
  const Json json = check_json("odd.csv", {}, 0);
  EXPECT_THAT(codes(json), ElementsAre("constant", "scale", "outliers", "same-columns", "time-order"));
  const std::string shown = check("odd.csv", {}, 0);
  for (const char* part :
       {"warning  column 'one' is constant", "'wide' spans more than 8 orders", "'y' 1 (row 31)", "'b' is 2 times 'a'",
        "('day' holds dates", "use --time day", "verdict  training would start"}) {
    EXPECT_THAT(shown, HasSubstr(part));
  }
  EXPECT_THAT(codes(check_json("odd.csv", {"--features", "a", "--time", "day"}, 0)), ElementsAre("outliers"));
}

TEST_F(Check, FindsRepeatedRowsClassesAndShortTables) {
  std::vector<std::string> lines = lines_of(surface(60));
  lines.push_back(lines[3]);
  lines.push_back(lines[4].substr(0, lines[4].rfind(',')) + ",7.5");
  write("twice.csv", joined(lines));
  EXPECT_THAT(codes(check_json("twice.csv", {}, 0), true),
              ElementsAre("size", "same-rows", "same-inputs", "memory", "time"));

  std::string classes = "x,y\n";
  for (int i = 0; i < 40; ++i) classes += std::to_string(i * 37 % 41) + "," + std::to_string(i * 7 % 3) + "\n";
  write("classes.csv", classes);
  EXPECT_THAT(check("classes.csv", {}, 0), HasSubstr("the target 'y' has only 3 distinct values"));
  write("short.csv", surface(12));
  EXPECT_THAT(check("short.csv", {}, 0), HasSubstr("warning  12 rows for 3 inputs"));
}

TEST_F(Check, DoesNotWarnOfOrderWhereFoldsFollowIt) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::ostringstream text;
  text << "patient,x,y\n";
  for (int patient = 0; patient < 30; ++patient) {
    const double level = normal(random);
    for (int i = 0; i < 8; ++i)
      text << 'p' << patient << ',' << normal(random) << ',' << level + normal(random) << '\n';
  }
  write("groups.csv", text.str());
  EXPECT_THAT(check("groups.csv", {"--features", "x"}, 0),
              HasSubstr("optimistic error estimate; use --time COLUMN, --groups COLUMN or --blocks 5\n"));
  for (const Arguments& folds : {Arguments{"--groups", "patient"}, {"--blocks", "5"}, {"--blocks", "5:kmeans"}}) {
    Arguments options{"--features", "x"};
    options.insert(options.end(), folds.begin(), folds.end());
    EXPECT_THAT(codes(check_json("groups.csv", options, 0)), IsEmpty());
  }
}

TEST_F(Check, WarnsOfALongTraining) {
  std::ostringstream text;
  text << "x,y\n";
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20'000; ++i) text << normal(random) << ',' << normal(random) << '\n';
  write("large.csv", text.str());
  const std::string shown = check("large.csv", {"--trainer", "likelihood", "--memory", "100G"}, 0);
  EXPECT_THAT(shown, ContainsRegex("warning  training takes an estimated [0-9]+ h on 1 thread.*--time-limit"));
}

TEST_F(Check, RefusesWhatFitWouldRefuse) {
  write("text.csv", "x,y\n1,2\n2,abc\n3,5\n4,4\n");
  write("empty.csv", "");
  write("constant.csv", "x,y\n1,2\n2,2\n3,2\n4,2\n");
  write("two.csv", "x,y\n1,2\n2,3\n");
  write("inf.csv", "x,y\n1,2\n2,inf\n3,4\n4,9\n");
  write("good.csv", surface(300));
  refuse_check("text.csv", "unreadable", {"text.csv:3:2", "'abc'", "'y'"});
  refuse_check("text.csv", "unreadable", {"text.csv:3:2", "'abc'", "'y'"}, {"--missing", "drop"});
  refuse_check("inf.csv", "unreadable", {"inf.csv:3:2", "'inf'"}, {"--missing", "drop"});
  refuse_check("empty.csv", "unreadable", {"empty.csv", "empty"});
  refuse_check("none.csv", "unreadable", {"none.csv", "No such file"});
  refuse_check("constant.csv", "refused", {"'y'", "constant"});
  refuse_check("two.csv", "refused", {"3 rows"});
  refuse_check("good.csv", "unreadable", {"'w'", "'a', 'b', 'c', 'y'"}, {"--features", "w"});
  refuse_check("good.csv", "refused", {"301 folds"}, {"--folds", "301"});
  refuse_check("good.csv", "refused", {"300 folds take 703 KiB", "600 KiB", "fewer folds"},
               {"--folds", "300", "--memory", "600K"});
  refuse_check("good.csv", "refused", {"column 5"}, {"--kernel", "se(on=[5])"});
  refuse_check("good.csv", "refused", {"300 rows", "10 KiB"}, {"--memory", "10K", "--trainer", "likelihood"});
  refuse_check("good.csv", "refused", {"--holdout"}, {"--trainer", "admm", "--folds", "3"});
}

/// One row of 30 has another weight or noise; the others have 1.
TEST_F(Check, ForeseesWhatFitRefusesOfNoiseCandidatesAndThreads) {
  const auto table = [&](const std::string& name, const std::string& odd, bool all) {
    std::istringstream rows(surface(30));
    std::string text, line;
    for (int i = 0; std::getline(rows, line); ++i)
      text += line + ',' + (i == 0 ? "w" : all || i == 5 ? odd : "1") + '\n';
    write(name, text);
  };
  const auto both_refuse = [&](const Arguments& options, const std::string& part) {
    Arguments check{"check", path("a.csv"), "--target", "y"}, fit{"fit", path("a.csv"), "--target", "y", "--quiet"};
    check.insert(check.end(), options.begin(), options.end());
    fit.insert(fit.end(), options.begin(), options.end());
    const Finished found = gpcv(check), refused = gpcv(fit);
    EXPECT_EQ(found.exit_code, 2) << described(check);
    EXPECT_THAT(found.out, HasSubstr(part)) << described(check);
    EXPECT_NE(refused.exit_code, 0) << described(fit);
    EXPECT_THAT(refused.err, HasSubstr(part)) << described(fit);
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  };
  for (const char* odd : {"1e200", "1e-200"}) {
    table("a.csv", odd, false);
    both_refuse({"--weight-column", "w"}, "column 'w' has weights from ");
    both_refuse({"--noise-column", "w"}, "column 'w' has the value 1.0e");
    table("a.csv", odd, true);
    both_refuse({"--noise-column", "w"}, "column 'w' has the value 1.0e");
  }
  table("a.csv", "1e-100", false);
  both_refuse({"--noise-column", "w"}, "column 'w' has noise deviations from 1.0e-100 to 1.0e+00");
  write("a.csv", surface(30));
  both_refuse({"--kernel", "auto", "--candidates", "foo"}, "there is no candidate 'foo'");
  both_refuse({"--kernel", "auto", "--candidates", "seasonal"}, "none of the candidates seasonal suits these inputs");
}

TEST_F(Check, RefusesUsageAsOtherCommandsDo) {
  write("good.csv", surface(30));
  refuse({"check"}, {"DATA"});
  refuse({"check", path("good.csv")}, {"--target"});
  refuse({"check", path("good.csv"), "--target", "y", "--missing", "maybe"}, {"--missing", "maybe"});
  refuse({"check", path("good.csv"), "--target", "y", "--kernel", "foo"}, {"expected a kernel", "^"}, 3);
  refuse({"check", path("good.csv"), "--target", "y", "--rho", "3"}, {"--rho", "admm"});
  refuse({"check", path("good.csv"), "--target", "y", "--folds", "1"}, {"folds", "at least 2"});
}

TEST_F(Check, SaysWhatIsMissingAndWhatToDo) {
  std::vector<std::string> lines = lines_of(surface(100));
  lines[10] = "NA,500,0.5,1";
  lines[20] = "1,,0.5,";
  write("gaps.csv", joined(lines));
  refuse_check("gaps.csv", "missing",
               {path("gaps.csv") + ":11:1: column 'a': 'NA' is not a finite number", "3 cells are missing in 2 rows",
                "('a' 1, 'b' 1, 'y' 1)", "--missing drop leaves these rows out"});
  refuse({"fit", path("gaps.csv"), "--target", "y"}, {":11:1: column 'a': 'NA' is not a finite number"});
  const std::string text = check("gaps.csv", {"--missing", "drop"}, 0);
  EXPECT_THAT(text, HasSubstr("note     98 rows, 3 inputs"));
  EXPECT_THAT(text,
              HasSubstr("warning  3 cells are missing in 2 rows ('a' 1, 'b' 1, 'y' 1): these rows are left out\n"));
  EXPECT_THAT(codes(check_json("gaps.csv", {"--features", "c", "--missing", "drop"}, 0)), ElementsAre("missing"));
}

TEST_F(Check, FitWithDroppedRowsIsTheFitOfTheOthers) {
  std::vector<std::string> lines = lines_of(surface(80));
  write("whole.csv", joined(lines));
  lines.insert(lines.begin() + 1, "nan,500,0.5,1");
  lines.insert(lines.begin() + 33, "1,,0.5,2");
  lines.insert(lines.begin() + 60, "1,510,0.5,NULL");
  lines.emplace_back(",,,");
  write("gaps.csv", joined(lines));
  const auto predictions = [&](const std::string& name, const Arguments& more) {
    Arguments arguments{"fit", path(name), "--target", "y", "--quiet", "-o", path("model.h5")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(succeed(arguments), "");
    return succeed({"predict", path("model.h5"), path("whole.csv")});
  };
  EXPECT_EQ(predictions("gaps.csv", {"--missing", "drop"}), predictions("whole.csv", {}));
  write("none.csv", "x,y\n1,\n2,\n,3\n");
  refuse({"fit", path("none.csv"), "--target", "y", "--missing", "drop"},
         {"none.csv", "at least 3 rows", "rows left out because of missing cells: 3"});
}

TEST_F(Check, FindingsStandInTheBannerAndTheJsonOfFit) {
  std::vector<std::string> lines = lines_of(surface(60));
  lines[7] = "1,,0.5,2";
  write("gaps.csv", joined(lines));
  const Arguments fit{"fit", path("gaps.csv"), "--target", "y", "--missing", "drop", "--restarts", "1"};
  const std::string text = succeed(fit);
  const std::size_t found = text.find("warning  1 cell is missing in 1 row ('b' 1): the row is left out\n");
  ASSERT_NE(found, std::string::npos) << text;
  EXPECT_LT(found, text.find("\nkernel "));
  EXPECT_THAT(text, Not(HasSubstr("note ")));
  Arguments json = fit;
  json.emplace_back("--json");
  EXPECT_THAT(codes(succeed_json(json), true), ElementsAre("missing"));
  write("sound.csv", surface(60));
  EXPECT_THAT(succeed_json({"fit", path("sound.csv"), "--target", "y", "--restarts", "1", "--json"}).at("findings"),
              IsEmpty());
}

TEST_F(Check, JsonSurvivesNamesInAnyEncoding) {
  std::string text = "x\xff\\,y\n";
  for (int i = 0; i < 30; ++i) text += "1," + std::to_string(i * 7 % 31) + "\n";
  write("name.csv", text);
  EXPECT_THAT(codes(check_json("name.csv", {}, 0)), ::testing::Contains("constant"));
}

}  // namespace
}  // namespace gpcv
