#include "mpi/ranks.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

TEST_F(RanksTest, AnyNumberOfRanksTrainsToTheSameBits) {
  table();
  const Arguments arguments = fit({"--json", "--restarts", "2"});
  const Json alone = findings_of(succeed(arguments));
  for (const int ranks : {1, 2, 3, 4}) {
    SCOPED_TRACE(ranks);
    const Finished result = run(ranks, arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(findings_of(result.out)["parameters"].dump(), alone["parameters"].dump());
    EXPECT_EQ(findings_of(result.out)["objective"].dump(), alone["objective"].dump());
    EXPECT_EQ(findings_of(result.out)["cv_rmse"].dump(), alone["cv_rmse"].dump());
  }
}

TEST_F(RanksTest, FoldsOfAConsensusAreSpreadWithTheSameBits) {
  table(300);
  const Arguments arguments =
      fit({"--json", "--trainer", "consensus", "--max-iterations", "6", "--restarts", "1", "--folds", "3"});
  const Json alone = findings_of(gpcv(arguments).out);
  for (const char* parallel : {"folds", "rows"}) {
    Arguments shared = arguments;
    shared.insert(shared.end(), {"--parallel", parallel});
    EXPECT_EQ(findings_of(run(2, shared).out)["parameters"].dump(), alone["parameters"].dump()) << parallel;
  }
}

TEST_F(RanksTest, FoldsOfGaussNewtonAreSpreadToTheSameOptimum) {
  table();
  const Json alone = findings_of(succeed(fit({"--json", "--restarts", "1"})));
  for (const int ranks : {2, 3}) {
    const Finished result = run(ranks, fit({"--json", "--restarts", "1", "--parallel", "folds"}));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Json spread = findings_of(result.out);
    for (const auto& [name, value] : alone["parameters"].items()) {
      if (!value.is_number()) continue;
      EXPECT_NEAR(std::log(spread["parameters"][name].get<double>()), std::log(value.get<double>()), 1e-4) << name;
    }
  }
}

TEST_F(RanksTest, OneRankReadsPrintsAndWrites) {
  table(300);
  const Finished plain = gpcv(fit({"--restarts", "1", "--max-iterations", "2", "--verbose", "-o", path("plain.h5"),
                                   "--checkpoint", path("plain.ck")}));
  const Finished ranks = run(3, fit({"--restarts", "1", "--max-iterations", "2", "--verbose", "-o", path("ranks.h5"),
                                     "--checkpoint", path("ranks.ck")}));
  EXPECT_EQ(ranks.exit_code, plain.exit_code) << ranks.err;
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_EQ(lines(ranks.out), lines(plain.out) + 1) << ranks.out;  // the ranks' own
  EXPECT_THAT(ranks.out, HasSubstr("3 ranks of 1 thread"));
  EXPECT_THAT(ranks.out, HasSubstr("\nranks      3; of the first one's time, communication took "));
  EXPECT_TRUE(files().count("ranks.h5") == 1 && files().count("ranks.ck") == 1);
}

TEST_F(RanksTest, PredictsAndCrossValidatesAsOneProcessDoes) {
  table();
  succeed(fit({"--quiet", "--restarts", "1", "-o", path("model.h5")}));
  write("new.csv", surface(250));
  for (const Arguments& more : {Arguments{}, Arguments{"--variance", "neighbours:50"}, Arguments{"--mean-only"}}) {
    Arguments predict{"predict", path("model.h5"), path("new.csv"), "--threads", "1"};
    predict.insert(predict.end(), more.begin(), more.end());
    const Finished alone = gpcv(predict), result = run(3, predict);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, alone.out);
  }
  const Arguments cv{"cv", path("data.csv"), "--target", "y",          "--threads", "1", "--rank",
                     "60", "--solver",       "cg",       "--restarts", "1"};
  EXPECT_EQ(run(2, cv).out, gpcv(cv).out);
}

TEST_F(RanksTest, ResumesWithAnotherNumberOfRanks) {
  table();
  const Arguments whole = fit({"--json", "--restarts", "1"});
  const Json expected = findings_of(succeed(whole));
  Arguments first = fit({"--json", "--restarts", "1", "--checkpoint", path("ck"), "--max-iterations", "1"});
  run(3, first);
  Arguments second = fit({"--json", "--restarts", "1", "--checkpoint", path("ck"), "--resume"});
  const Finished result = run(2, second);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NEAR(findings_of(result.out)["objective"].get<double>(), expected["objective"].get<double>(), 1e-4);
}

/// Two kinds of processes in one job.
TEST_F(RanksTest, OtherArgumentsOnOneRankAreRefused) {
  table(100);
  Arguments both{GPCV_MPIEXEC};
  for (const char* seed : {"1", "2"}) {
    if (both.size() > 1) both.push_back(":");
    both.insert(both.end(), {"-n", "1", GPCV_COMMAND, "fit", path("data.csv"), "--target", "y", "--seed", seed});
  }
  const Finished result = Process(both).finish(60);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the arguments of rank 1 differ from those of rank 0"));
}

TEST_F(RanksTest, AnotherFileOrNoneOnOneRankIsRefused) {
  table(100);
  for (const std::string& second : {surface(99), std::string()}) {
    // The same relative path leads elsewhere.
    std::filesystem::create_directories(path("a"));
    std::filesystem::create_directories(path("b"));
    write("a/t.csv", surface(100));
    std::filesystem::remove(path("b/t.csv"));
    if (!second.empty()) write("b/t.csv", second);
    Arguments both{GPCV_MPIEXEC};
    for (const char* folder : {"a", "b"}) {
      if (both.size() > 1) both.push_back(":");
      both.insert(both.end(), {"-n", "1", "/bin/sh", "-c",
                               fmt::format("cd {} && exec {} fit t.csv --target y", path(folder), GPCV_COMMAND)});
    }
    const Finished result = Process(both).finish(60);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err,
                HasSubstr(second.empty() ? "rank 1 cannot read 't.csv'" : "'t.csv' is a different file for rank 1"));
  }
}

TEST_F(RanksTest, BadInputIsReportedOnce) {
  const Finished missing = run(3, {"fit", path("nothing.csv"), "--target", "y"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("nothing.csv"));
  EXPECT_EQ(missing.err.find("gpcv: "), missing.err.rfind("gpcv: ")) << missing.err;
  const Finished option = run(2, {"fit", path("nothing.csv"), "--no-such-option"});
  EXPECT_EQ(option.exit_code, 2);
}

TEST_F(RanksTest, OtherCommandsAreTheFirstRanksAlone) {
  table(100);
  const Finished result = run(2, {"check", path("data.csv"), "--target", "y"});
  const Finished alone = gpcv({"check", path("data.csv"), "--target", "y"});
  EXPECT_EQ(result.exit_code, alone.exit_code);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'),
            std::count(alone.out.begin(), alone.out.end(), '\n'));
}

}  // namespace
}  // namespace gpcv
