/// Ctrl-C and a request to terminate: where there is a result it is kept, otherwise the program ends at once; exit
/// code 1.
#include <chrono>
#include <thread>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class Interrupt : public CommandTest {
 protected:
  void SetUp() override { write("data.csv", wave(1500)); }
  /// Far longer than the test waits.
  Arguments long_fit(const Arguments& options = {}) const {
    Arguments arguments{"fit",        path("data.csv"), "--target", "y",  "--trainer",
                        "likelihood", "--restarts",     "1000",     "-o", path("model.h5")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return command_line(arguments);
  }
  void expect_usable_model() const {
    write("new.csv", "x\n1\n2\n");
    EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("new.csv"), "--mean-only"}).rows, 2u);
    std::filesystem::remove(path("new.csv"));
    EXPECT_THAT(files(), ::testing::ElementsAre("data.csv", "model.h5"));
  }
  /// Runs that have nothing to keep; each would take far longer than the test waits.
  std::vector<Arguments> fruitless() const {
    const std::string data = path("data.csv");
    const Arguments endless{"--target", "y", "--trainer", "likelihood", "--restarts", "1000"};
    std::vector<Arguments> runs{{"cv", data, "-o", path("out.csv"), "--json"},
                                {"cv", data},
                                {"compare", data, "--kernels", "se; matern32", "--threads", "1"}};
    for (Arguments& run : runs) run.insert(run.end(), endless.begin(), endless.end());
    return runs;
  }
  static constexpr double start_limit = 300, stop_limit = 180;
};

TEST_F(Interrupt, ByASignalKeepsTheBestModelSoFar) {
  for (int signal : {SIGINT, SIGTERM}) {
    SCOPED_TRACE(signal);
    Process process(long_fit());
    ASSERT_TRUE(process.wait_for("     1 |      1 |", start_limit)) << "training has not begun";
    process.send(signal);
    const Finished result = process.finish(stop_limit);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, MatchesRegex("gpcv: stopping; the model is written in about [0-9.]+ (s|min); press Ctrl-C "
                                         "again to end at once\n"));
    EXPECT_THAT(result.out, ContainsRegex("\nstatus +stopped"));
    EXPECT_THAT(result.out, ContainsRegex("\ncv rmse +[0-9.]+"));
    EXPECT_THAT(result.out, HasSubstr(path("model.h5")));
    expect_usable_model();
    std::filesystem::remove(path("model.h5"));
  }
}

TEST_F(Interrupt, ByCtrlCOnATerminalReportsStoppedInJson) {
  Process process(long_fit({"--json", "--calibration", "0.2"}), {.terminal = true, .out_file = {}});
  ASSERT_TRUE(process.wait_for("evaluation ", start_limit)) << "no live line";
  process.type("\x03");
  const Finished result = process.finish(stop_limit);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.exit_code, 1);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("status"), "stopped");
  EXPECT_NE(json.at("message"), "");
  EXPECT_GE(json.at("iterations").get<int>(), 1);
  EXPECT_TRUE(json.at("objective").is_number());
  EXPECT_EQ(json.at("left_out"), Json::array({"importance of the inputs", "conformal intervals"}));
  EXPECT_THAT(json.at("message").get<std::string>(),
              HasSubstr("without importance of the inputs, conformal intervals"));
  expect_usable_model();
}

TEST_F(Interrupt, TwiceEndsAtOnceAndKeepsTheOldModel) {
  write("model.h5", "old");
  Process process(long_fit());
  ASSERT_TRUE(process.wait_for("     1 |      1 |", start_limit)) << "training has not begun";
  process.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // else the two are one
  process.send(SIGINT);
  const Finished result = process.finish(stop_limit);
  EXPECT_FALSE(result.timed_out);
  // Between two evaluations the first may already have ended it.
  if (result.signal == SIGINT) {
    EXPECT_EQ(read("model.h5"), "old");
  } else {
    EXPECT_EQ(result.exit_code, 1);
  }
}

TEST_F(Interrupt, ByATermSignalStillIgnoresWhatTheParentIgnores) {
  Process process(long_fit(), {.out_file = {}, .ignored = SIGINT});
  ASSERT_TRUE(process.wait_for("     1 |      1 |", start_limit)) << "training has not begun";
  process.send(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.send(SIGINT);
  const Finished result = process.finish(stop_limit);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exit_code, 1);
  expect_usable_model();
}

TEST_F(Interrupt, BeforeTheFirstErrorEndsAtOnceAndKeepsTheOldModel) {
  write("model.h5", "old");
  for (int signal : {SIGINT, SIGTERM}) {
    Process process(
        command_line({"defaults", "fit", path("data.csv"), "--target", "y", "--json", "-o", path("model.h5")}),
        {.terminal = true, .out_file = {}});
    ASSERT_TRUE(process.wait_for("choosing a kernel", start_limit));
    process.send(signal);
    const Finished result = process.finish(stop_limit);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("gpcv: stopped before the first error was known; no model is written"));
    EXPECT_EQ(read("model.h5"), "old");
  }
}

TEST_F(Interrupt, EndsAtOnceWhereNothingIsKept) {
  write("out.csv", "old");
  for (const Arguments& run : fruitless()) {
    SCOPED_TRACE(described(run));
    Process process(command_line(run), {.terminal = true, .out_file = {}});
    ASSERT_TRUE(process.wait_for("evaluation ", start_limit));
    process.type("\x03");
    const Finished result = process.finish(stop_limit);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("gpcv: stopped\r\n"));
    EXPECT_EQ(read("out.csv"), "old");
    EXPECT_THAT(files(), ::testing::ElementsAre("data.csv", "out.csv"));
  }
}

TEST_F(Interrupt, LeavesOutTheOuterFoldsAndSaysSo) {
  Process process(command_line({"fit", path("data.csv"), "--target", "y", "--assess", "nested", "--json", "--report",
                                path("page.html"), "-o", path("model.h5")}),
                  {.terminal = true, .out_file = {}});
  ASSERT_TRUE(process.wait_for("assessing the error", start_limit));
  process.type("\x03");
  const Finished result = process.finish(stop_limit);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("gpcv: stopping; the model is written in about "));
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("status"), "stopped");
  EXPECT_EQ(json.at("left_out"), Json::array({"outer folds", "report"}));
  EXPECT_EQ(json.at("message"), "converged; stopped on request, without outer folds, report");
  EXPECT_EQ(json.at("assessment"), "inner");
  EXPECT_TRUE(json.at("cv_rmse").is_number());
  expect_usable_model();
}

TEST_F(Interrupt, AtAnyMomentLeavesAWholeModelOrTheOldOne) {
  write("data.csv", wave(200));
  const Arguments fit = command_line({"fit", path("data.csv"), "--target", "y", "--assess", "nested", "--json",
                                      "--report", path("page.html"), "-o", path("model.h5")});
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(Process(fit).finish(start_limit).exit_code, 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  constexpr int moments = 8;
  for (int i = 0; i < moments; ++i) {
    std::filesystem::remove(path("page.html"));
    write("model.h5", "old");
    Process process(fit);
    std::this_thread::sleep_for(whole * i / moments);
    process.send(SIGINT);
    const Finished result = process.finish(stop_limit);
    SCOPED_TRACE(result.err);
    EXPECT_FALSE(result.timed_out);
    if (result.out.empty()) {  // before the first error, or before main
      EXPECT_TRUE(result.exit_code == 1 || result.signal == SIGINT);
      EXPECT_EQ(read("model.h5"), "old");
      EXPECT_EQ(files().count("page.html"), 0u);
      continue;
    }
    const Json json = Json::parse(result.out);
    const auto left_out = json.at("left_out").get<std::vector<std::string>>();
    EXPECT_EQ(result.exit_code, json.at("status") == "converged" ? 0 : 1);
    EXPECT_TRUE(left_out.empty() || json.at("status") == "stopped");
    const auto lacks = [&](const char* part) { return std::count(left_out.begin(), left_out.end(), part) > 0; };
    EXPECT_EQ(files().count("page.html"), lacks("report") ? 0u : 1u);
    EXPECT_EQ(json.at("importance").empty(), lacks("importance of the inputs"));
    std::filesystem::remove(path("page.html"));
    expect_usable_model();
  }
}

}  // namespace
}  // namespace gpcv
