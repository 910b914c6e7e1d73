/// How the command reads tables as people have them: dates, numbers, encodings, missing cells, levels, identifiers.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Tables : public CommandTest {
 protected:
  /// x, a category and y of 30 rows with an identifier.
  static std::string people() {
    std::ostringstream text;
    text << "id,x,kind,y\n";
    for (int i = 0; i < 30; ++i)
      text << "p" << i << ',' << i * 7 % 30 << ',' << "abc"[i % 3] << ',' << i % 3 + 0.1 * i << '\n';
    return text.str();
  }
  void fit_people() const {
    write("people.csv", people());
    succeed({"fit", path("people.csv"), "--target", "y", "--categorical", "kind", "--id", "id", "-o", path("m.h5"),
             "--quiet"});
  }
  Arguments predict(const std::string& table, const Arguments& more = {}) const {
    write("new.csv", table);
    Arguments all{"predict", path("m.h5"), path("new.csv")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(Tables, AModelOfDatesRefusesOtherNumbers) {
  std::string text = "date,y\n";
  for (int i = 0; i < 24; ++i) {
    text += std::to_string(2018 + i / 12) + (i % 12 < 9 ? "-0" : "-") + std::to_string(i % 12 + 1) + "-15," +
            std::to_string(i * i % 7) + "\n";
  }
  write("dates.csv", text);
  succeed({"fit", path("dates.csv"), "--target", "y", "-o", path("m.h5"), "--quiet"});
  refuse(predict("date\n20190615\n737000\n"), {"new.csv:2:1", "'20190615'", "trained on dates", "YYYY-MM-DD"});
  const NumberTable iso = succeed_table(predict("date\n2019-06-15T00:00:00Z\n"));
  const Finished compact = gpcv(predict("date\n20190615\n"));
  EXPECT_EQ(compact.exit_code, 0);
  EXPECT_THAT(compact.err, AllOf(StartsWith("gpcv: column 'date': '20190615' is read as"), EndsWith("\n")));
  EXPECT_EQ(parse_table(compact.out)["mean"], iso["mean"]);
}

TEST_F(Tables, NumbersAreReadByTheWholeColumn) {
  std::string text = "x;y\n", ambiguous = "x;y\n";
  for (int i = 0; i < 20; ++i) {
    text += std::to_string(i * 3 % 20) + ",5;" + std::to_string(i) + "\n";
    ambiguous += "1," + std::to_string(100 + i * 37) + ";" + std::to_string(i) + "\n";
  }
  write("comma.csv", text);
  write("both.csv", ambiguous);
  const Json found = succeed_json({"fit", path("comma.csv"), "--target", "y", "--json"});
  bool said = false;
  for (const Json& finding : found.at("findings")) said = said || finding.at("code") == "numbers";
  EXPECT_TRUE(said) << found.at("findings");
  refuse({"fit", path("both.csv"), "--target", "y"},
         {"both.csv:2:1", "'1,100'", "use --decimal comma or --decimal point\n"});
  succeed({"fit", path("both.csv"), "--target", "y", "--decimal", "point", "--quiet"});
}

TEST_F(Tables, NewRowsAreReadAsThoseOfTheTraining) {
  std::string text = "x;y\n";
  for (int i = 0; i < 20; ++i) text += "1," + std::to_string(100 + i * 37) + "5;" + std::to_string(i) + "\n";
  write("comma.csv", text);
  succeed({"fit", path("comma.csv"), "--target", "y", "--quiet", "-o", path("m.h5")});
  const auto mean = [&](const std::string& cell, const Arguments& more = {}) {
    write("new.csv", "x;z\n" + cell + ";1\n");
    Arguments all{"predict", path("m.h5"), path("new.csv"), "--mean-only"};
    all.insert(all.end(), more.begin(), more.end());
    return parse_table(gpcv(all).out)["mean"];
  };
  EXPECT_EQ(mean("1,560"), mean("1,5600")) << "1,560 may mean 1560, but not here";
  EXPECT_NE(mean("1,560", {"--decimal", "point"}), mean("1,5600"));
}

TEST_F(Tables, ATargetOfDatesIsADateInEvaluate) {
  std::string text = "x,day\n";
  for (int i = 1; i <= 28; ++i)
    text += std::to_string(i * 5 % 28) + (i < 10 ? ",2020-02-0" : ",2020-02-") + std::to_string(i) + "\n";
  write("days.csv", text);
  succeed({"fit", path("days.csv"), "--target", "day", "--kernel", "se", "--assess", "inner", "-o", path("d.h5"),
           "--quiet"});
  write("new.csv", "x,day\n1,20150\n2,20151\n");
  refuse({"evaluate", path("d.h5"), path("new.csv")}, {"new.csv:2:2", "'20150'", "trained on dates"});
}

TEST_F(Tables, TextsOfMissingCellsAreThoseOfTheTraining) {
  std::string text = "x,y\n";
  for (int i = 0; i < 24; ++i) text += std::to_string(i % 8 == 3 ? -999 : i) + "," + std::to_string(i * i % 7) + "\n";
  write("na.csv", text);
  succeed({"fit", path("na.csv"), "--target", "y", "--na=-999", "--missing", "drop", "--kernel", "se", "--assess",
           "inner", "-o", path("m.h5"), "--quiet"});
  refuse(predict("x\n1\n-999\n"), {"new.csv:3:1", "'-999'", "--missing"});
}

TEST_F(Tables, NamesWithControlCharactersAreEscaped) {
  std::string text = "x\x1b[31m,y\x07\n";
  for (int i = 0; i < 24; ++i) text += std::to_string(i) + "," + std::to_string(i * i % 7) + "\n";
  write("esc.csv", text);
  const Finished fit =
      gpcv({"fit", path("esc.csv"), "--target", "-1", "--kernel", "se", "--assess", "inner", "-o", path("m.h5")});
  EXPECT_EQ(fit.exit_code, 0) << fit.err;
  const Finished info = gpcv({"info", path("m.h5")});
  for (const std::string& out : {fit.out, fit.err, info.out, info.err}) {
    EXPECT_THAT(out, AllOf(Not(HasSubstr("\x1b[31m")), Not(HasSubstr("\x07"))));
  }
  EXPECT_THAT(fit.out, HasSubstr("x\\x1b[31m"));
  EXPECT_THAT(info.out, HasSubstr("y\\x07"));
}

TEST_F(Tables, AWordAmongNumbersMayBeAMissingCell) {
  std::string text = "x,y\n";
  for (int i = 0; i < 24; ++i) text += (i == 9 ? "off" : std::to_string(i)) + "," + std::to_string(i * i % 7) + "\n";
  write("off.csv", text);
  refuse({"fit", path("off.csv"), "--target", "y"}, {"off.csv:11:1", "'off'", "--na off", "--categorical"});
}

TEST_F(Tables, EncodingsAreSaid) {
  write("latin.csv",
        "gr\xF6\xDF"
        "e,y\n1,2\n2,3\n3,5\n4,4\n5,7\n");
  EXPECT_THAT(succeed({"check", path("latin.csv"), "--target", "y", "--features", "größe"}),
              HasSubstr("latin.csv: the text is Latin-1; it was converted to UTF-8"));
}

TEST_F(Tables, MissingCellsOfNewRowsLeaveEmptyPredictions) {
  fit_people();
  refuse(predict("id,x,kind\nq1,#DIV/0!,a\n"), {"new.csv:2:2: column 'x'", "; --missing drop leaves the row out\n"});
  const std::string out =
      succeed(predict("id,x,kind\nq1,.,a\nq2,3,b\nq3,4,NA\nq4,gone,c\n", {"--missing", "drop", "--na", "gone"}));
  EXPECT_THAT(out, AllOf(StartsWith("id,mean,std,lower,upper\nq1,,,,\nq2,"), EndsWith("q3,,,,\nq4,,,,\n")));
  EXPECT_EQ(succeed(predict("x,kind\n.,a\n", {"--missing", "drop", "--mean-only"})), "mean\n\"\"\n");
  const std::string draws = succeed(predict("id,x,kind\nq1,.,a\nq2,3,b\n", {"--missing", "drop", "--samples", "2"}));
  EXPECT_THAT(draws, StartsWith("id,sample1,sample2\nq1,,\nq2,"));
}

TEST_F(Tables, EvaluateCountsTheRowsThatItLeavesOut) {
  fit_people();
  write("test.csv", "x,kind,y\n1,a,0\n2,b,NULL\n3,c,2\n-999,a,1\n5,b,1\n");
  const Arguments all{"evaluate", path("m.h5"), path("test.csv"), "--missing", "drop", "--na", "-999"};
  EXPECT_THAT(succeed(all), AllOf(StartsWith("rows      3\n"), EndsWith("left out  2 rows with missing cells\n")));
  Arguments json = all;
  json.push_back("--json");
  const Json found = succeed_json(json);
  EXPECT_EQ(found.at("n"), 3);
  EXPECT_EQ(found.at("left_out"), 2);
  refuse({"evaluate", path("m.h5"), path("test.csv")}, {"test.csv:3:3: column 'y': 'NULL'", "--missing drop"});
}

TEST_F(Tables, UnseenLevelsAreRefusedOrAveraged) {
  fit_people();
  refuse(predict("x,kind\n3,z\n"), {"new.csv:2:2: column 'kind'", "'z'", "use --unseen average\n"});
  const NumberTable levels = succeed_table(predict("x,kind\n3,a\n3,b\n3,c\n"));
  const Finished found = gpcv(predict("x,kind\n3,z\n", {"--unseen", "average"}));
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.err, HasSubstr("average over its levels"));
  const std::vector<double>& each = levels["mean"];
  const double mean = (each[0] + each[1] + each[2]) / 3;
  EXPECT_NEAR(parse_table(found.out)["mean"][0], mean, 1e-9);
  double variance = 0;
  for (std::size_t i = 0; i < 3; ++i) variance += (std::pow(levels["std"][i], 2) + std::pow(each[i] - mean, 2)) / 3;
  EXPECT_NEAR(parse_table(found.out)["std"][0], std::sqrt(variance), 1e-9);
}

TEST_F(Tables, TheTargetIsNoCategory) {
  write("data.csv", "x,y\n1,2\n2,high\n3,4\n4,5\n");
  refuse({"fit", path("data.csv"), "--target", "y"},
         {"data.csv:3:2: column 'y': 'high'", "the target has to be numeric"});
  EXPECT_THAT(gpcv({"fit", path("data.csv"), "--target", "y"}).err, Not(HasSubstr("categorical")));
}

TEST_F(Tables, ColumnsArePassedOn) {
  fit_people();
  EXPECT_THAT(succeed(predict("day,x,kind\n\"Mo, 1\",3,b\n", {"--keep", "day,x"})),
              StartsWith("day,x,mean,std,lower,upper\n\"Mo, 1\",3,"));
  EXPECT_THAT(succeed(predict("day,x,kind\nMo,3,b\n", {"--id", "day", "--keep", "x"})), StartsWith("day,x,mean,"));
  refuse(predict("day,x,kind\nMo,3,b\n", {"--keep", "date"}), {"no column 'date'; did you mean 'day'?"});
  refuse({"fit", path("people.csv"), "--target", "y", "--categorical", "kind"}, {"column 'id': 'p0'", "use --id id\n"});
}

TEST_F(Tables, HeldOutRowsAreNamed) {
  fit_people();
  std::istringstream lines(succeed({"cv", path("people.csv"), "--target", "y", "--categorical", "kind", "--id", "id"}));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "id,row,fold,target,mean,std,lower,upper");
  int rows = 0;
  for (; std::getline(lines, line); ++rows) {
    EXPECT_THAT(line, StartsWith("p" + std::to_string(rows) + "," + std::to_string(rows) + ","));
  }
  EXPECT_EQ(rows, 30);
  write("gaps.csv", "day,x,y\na,,1\n\"b, c\",1,2\nd,2,3\ne,3,4\nf,4,6\ng,5,5\n");
  EXPECT_THAT(gpcv({"cv", path("gaps.csv"), "--target", "y", "--id", "0", "--missing", "drop", "--quiet"}).out,
              AllOf(StartsWith("day,row,fold"), HasSubstr("\n\"b, c\",1,"), HasSubstr("\ng,5,")));
}

TEST_F(Tables, FilesAndTheStandardInput) {
  const std::string all = wave(40);
  const std::size_t half = all.find('\n', all.size() / 2) + 1;
  write("all.csv", all);
  write("a.csv", all.substr(0, half));
  write("b.csv", "x,y\n" + all.substr(half));
  const auto fit = [&](const Arguments& tables) {
    Arguments arguments{"fit"};
    arguments.insert(arguments.end(), tables.begin(), tables.end());
    arguments.insert(arguments.end(), {"--target", "y", "--json"});
    return Json::parse(succeed(arguments)).at("kernel").get<std::string>();
  };
  EXPECT_EQ(fit({path("a.csv"), path("b.csv")}), fit({path("all.csv")}));
  const Arguments piped{"/bin/sh", "-c", "cat " + path("all.csv") + " | " + GPCV_COMMAND + " check - --target y"};
  EXPECT_THAT(Process(piped, {}).finish(60).out, HasSubstr("40 rows, 1 input ('x')"));
  refuse({"fit", path("all.csv"), path("b.csv"), "--target", "y", "-o", path("b.csv")}, {"b.csv"});
  refuse({"fit", path("all.csv"), "--target", "y", "--features", "x", "z"}, {"'z' is no file", "--features a,b,c"});
}

}  // namespace
}  // namespace gpcv
