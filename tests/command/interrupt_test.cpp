/// Ctrl-C and a request to terminate: the best model so far is kept, exit code 1.
#include <chrono>
#include <thread>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

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
  static constexpr double start_limit = 60, stop_limit = 60;
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
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, ContainsRegex("\nstatus +stopped"));
    EXPECT_THAT(result.out, ContainsRegex("\ncv rmse +[0-9.]+"));
    EXPECT_THAT(result.out, HasSubstr(path("model.h5")));
    expect_usable_model();
    std::filesystem::remove(path("model.h5"));
  }
}

TEST_F(Interrupt, ByCtrlCOnATerminalReportsStoppedInJson) {
  Process process(long_fit({"--json"}), {.terminal = true, .out_file = {}});
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

}  // namespace
}  // namespace gpcv
