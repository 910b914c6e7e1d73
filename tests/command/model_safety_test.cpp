/// What is already on disk survives whatever goes wrong.
#include <sys/inotify.h>

#include <chrono>
#include <thread>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;

class ModelSafety : public CommandTest {
 protected:
  /// Waits until the program has written to a new file, which has no name yet or one that begins with that of `target`.
  bool wait_for_writing(const Process& process, const std::string& target) const {
    const std::string opened = "/proc/" + std::to_string(process.id()) + "/fd";
    const std::string beginning = path(target) + ".", unnamed = " (deleted)";
    for (int i = 0; i < 100'000; ++i, std::this_thread::sleep_for(std::chrono::microseconds(100))) {
      std::error_code gone;
      if (!std::filesystem::exists(opened, gone)) return false;
      for (std::filesystem::directory_iterator at(opened, gone), end; !gone && at != end; at.increment(gone)) {
        const std::string file = std::filesystem::read_symlink(at->path(), gone).string();
        const bool is_new = file.starts_with(path("")) && (file.ends_with(unnamed) || file.starts_with(beginning));
        if (!gone && is_new && std::filesystem::file_size(at->path(), gone) > 0 && !gone) return true;
      }
    }
    return false;
  }
  void SetUp() override {
    write("data.csv", wave(40));
    succeed({"fit", path("data.csv"), "--target", "y", "--kernel", "matern32", "--restarts", "1", "--quiet", "-o",
             path("model.h5")});
    old_ = read("model.h5");
  }
  /// Whole: the one that was there, or a new one that loads.
  void expect_whole_model() const {
    if (read("model.h5") == old_) return;
    EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("data.csv"), "--mean-only"}).rows, 40u);
    write("model.h5", old_);
  }
  std::string old_;
};

TEST_F(ModelSafety, KeepsTheOldModelWhenAFitFails) {
  write("text.csv", "x,y\n1,2\n2,abc\n3,4\n");
  write("constant.csv", "x,y\n1,2\n2,2\n3,2\n");
  write("two.csv", "x,y\n1,2\n2,3\n");
  const std::string model = path("model.h5");
  for (const char* data : {"text.csv", "constant.csv", "two.csv", "missing.csv"}) {
    refuse({"fit", path(data), "--target", "y", "-o", model}, {});
  }
  const std::string data = path("data.csv");
  refuse({"fit", data, "--target", "z", "-o", model}, {});
  refuse({"fit", data, "--target", "y", "--kernel", "se(", "-o", model}, {}, 3);
  refuse({"fit", data, "--target", "y", "--kernel", "se(on=[4])", "-o", model}, {});
  refuse({"fit", data, "--target", "y", "--noise", "-1", "-o", model}, {});
  refuse({"fit", data, "--target", "y", "--folds", "41", "-o", model}, {});
  refuse({"fit", data, "--target", "y", "--trace", path("none/trace.csv"), "-o", model}, {});
  refuse({"fit", data, "--target", "y", "--bogus", "-o", model}, {});
  EXPECT_TRUE(read("model.h5") == old_);
  EXPECT_THAT(files(), ElementsAre("constant.csv", "data.csv", "model.h5", "text.csv", "two.csv"));
}

TEST_F(ModelSafety, ReplacesTheOldModelWhenAFitSucceeds) {
  succeed({"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--quiet", "-o", path("model.h5")});
  EXPECT_FALSE(read("model.h5") == old_);
  expect_whole_model();
  EXPECT_THAT(files(), ElementsAre("data.csv", "model.h5"));
}

TEST_F(ModelSafety, WritesThroughASymbolicLink) {
  std::filesystem::create_symlink("model.h5", path("link.h5"));
  succeed({"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--quiet", "-o", path("link.h5")});
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.h5"))) << "the link itself was replaced by a file";
  EXPECT_FALSE(read("model.h5") == old_) << "the file behind the link was not written";
  EXPECT_THAT(files(), ElementsAre("data.csv", "link.h5", "model.h5"));
}

TEST_F(ModelSafety, NeverWritesTheModelOverItsData) {
  const std::string data = read("data.csv");
  const Finished result = gpcv({"fit", path("data.csv"), "--target", "y", "--restarts", "1", "-o", path("data.csv")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(read("data.csv") == data) << "the training data are gone";
}

TEST_F(ModelSafety, SurvivesAKillAtAnyMoment) {
  const Arguments fit = command_line({"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--restarts", "1",
                                      "--quiet", "-o", path("model.h5")});
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Process(fit).finish(60);
  const auto whole = Clock::now() - begin;
  constexpr int kills = 30;
  for (int i = 0; i < kills; ++i) {
    Process process(fit);
    std::this_thread::sleep_for(whole * i / (kills - 1));
    process.send(SIGKILL);
    process.finish(60);
    expect_whole_model();
  }
}

TEST_F(ModelSafety, SurvivesAKillWhileTheNewModelIsBeingWritten) {
  const Arguments fit = command_line({"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--restarts", "1",
                                      "--quiet", "-o", path("model.h5")});
  int killed = 0;
  for (int i = 0; i < 15; ++i) {
    Process process(fit);
    if (!wait_for_writing(process, "model.h5")) continue;
    std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
    process.send(SIGKILL);
    killed += process.finish(60).signal == SIGKILL;
    expect_whole_model();
  }
  EXPECT_GT(killed, 0) << "every kill came too late to tell";
}

TEST_F(ModelSafety, LeavesNoTemporaryWhenPredictIsStopped) {
  std::string rows = "x\n";
  for (int i = 0; i < 400'000; ++i) rows += "1.2345678\n";
  write("many.csv", rows);
  write("out.csv", "old\n");
  for (int signal : {SIGINT, SIGTERM}) {
    Process process(command_line({"predict", path("model.h5"), path("many.csv"), "-o", path("out.csv")}));
    wait_for_writing(process, "out.csv");
    process.send(signal);
    EXPECT_NE(process.finish(30).exit_code, 0) << "stopped too late to tell";
    EXPECT_TRUE(read("out.csv") == "old\n") << "the old predictions are gone";
    EXPECT_THAT(files(), ElementsAre("data.csv", "many.csv", "model.h5", "out.csv"));
    for (const std::string& name : files()) {
      if (name.starts_with("out.csv.")) std::filesystem::remove(path(name));
    }
  }
}

}  // namespace
}  // namespace gpcv
