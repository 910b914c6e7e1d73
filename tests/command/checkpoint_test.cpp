// Trainings that end before their time, by SIGKILL among others, and go on.
#include <chrono>
#include <csignal>
#include <thread>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class CheckpointCommand : public CommandTest {
 protected:
  Arguments fit(const Arguments& options = {}) const {
    Arguments arguments{"fit",     path("data.csv"), "--target", "y",      "--solver", "cg",        "--kernel",
                        "se(ard)", "--start",        "values",   "--seed", "3",        "--epsilon", "1e-6"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
  /// Largest difference in the logarithm of a trained parameter, in standard errors: the unit of what is known of it.
  static double furthest(const Json& a, const Json& b) {
    double most = 0;
    for (const auto& [name, error] : b.at("standard_errors").items()) {
      const auto value = [&](const Json& of) {
        return (name == "noise" ? of.at("noise") : of.at("parameters").at(name)).get<double>();
      };
      most = std::max(most, std::abs(std::log(value(a) / value(b))) / error.get<double>());
    }
    return most;
  }
};

TEST_F(CheckpointCommand, IsNeverOverwrittenUnlessResumed) {
  write("data.csv", surface(60));
  const Arguments again = fit({"--checkpoint", path("a.ck"), "--quiet"});
  succeed(again);
  const std::string before = read("a.ck");
  const Finished result = gpcv(again);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("a.ck' exists, and training would overwrite it; go on from it with --resume"));
  EXPECT_EQ(read("a.ck"), before);
}

TEST_F(CheckpointCommand, KilledAtAnyMomentGoesOnToTheSameTheta) {
  write("data.csv", surface(700));
  const Json whole = succeed_json(fit({"--json", "--checkpoint", path("whole.ck")}));
  std::mt19937_64 random(5);
  int resumed = 0;
  for (int trial = 0; trial < 8; ++trial) {
    std::filesystem::remove(path("a.ck"));
    {
      Process process(command_line(fit({"--checkpoint", path("a.ck"), "--quiet"})));
      const double limit = 0.9 * whole.at("seconds").at("total").get<double>();
      std::this_thread::sleep_for(std::chrono::duration<double>(limit * static_cast<double>(random() % 1000) / 1000));
      process.send(SIGKILL);
      process.finish(20);
    }
    const bool there = std::filesystem::exists(path("a.ck"));
    const Finished result = gpcv(fit({"--checkpoint", path("a.ck"), "--resume", "--json"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err.find("does not exist yet") == std::string::npos, there) << result.err;
    resumed += there ? 1 : 0;
    const Json json = Json::parse(result.out);
    EXPECT_NEAR(json.at("cv_rmse").get<double>(), whole.at("cv_rmse").get<double>(),
                2e-3 * whole.at("cv_rmse").get<double>());
    EXPECT_LT(furthest(json, whole), 0.5) << (there ? "resumed" : "begun anew");
  }
  EXPECT_GT(resumed, 0) << "no kill came after the first step";
}

TEST_F(CheckpointCommand, TheTrainersOfThePaperGoOnToo) {
  write("data.csv", surface(400));
  for (const std::string trainer : {"admm", "naive", "consensus"}) {
    const auto with = [&](Arguments options) {
      options.insert(options.end(), {"--trainer", trainer, "--json"});
      Arguments arguments{"fit", path("data.csv"), "--target", "y", "--kernel", "se(ard)", "--restarts", "1"};
      arguments.insert(arguments.end(), options.begin(), options.end());
      return arguments;
    };
    const Json whole = Json::parse(gpcv(with({})).out);
    const std::string file = path(trainer + ".ck");
    {
      Process process(command_line(with({"--checkpoint", file})));
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      EXPECT_TRUE(std::filesystem::exists(file)) << trainer << " wrote no checkpoint";
      process.send(SIGKILL);
      process.finish(20);
    }
    const Json resumed = Json::parse(gpcv(with({"--checkpoint", file, "--resume"})).out);
    EXPECT_EQ(resumed.at("status"), whole.at("status")) << trainer;
    EXPECT_NEAR(resumed.at("cv_rmse").get<double>(), whole.at("cv_rmse").get<double>(),
                1e-3 * whole.at("cv_rmse").get<double>())
        << trainer;
  }
}

TEST_F(CheckpointCommand, ALimitOfTimeKeepsTheBestAndLeavesTheRestToResume) {
  write("data.csv", surface(900));
  const Finished limited =
      gpcv(fit({"--checkpoint", path("a.ck"), "--time-limit", "0.05", "--json", "-o", path("model.h5")}));
  const Json json = Json::parse(limited.out);
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_EQ(json.at("status"), "time_limit");
  EXPECT_THAT(json.at("message").get<std::string>(), HasSubstr("time limit"));
  EXPECT_EQ(json.at("left_out").at(0), "validation") << "the limit is that of the whole fit";
  write("new.csv", "a,b,c\n1,500,0\n");
  EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("new.csv")}).rows, 1u);
}

TEST_F(CheckpointCommand, AnotherTrainingsCheckpointIsRefused) {
  write("data.csv", surface(80));
  succeed(fit({"--checkpoint", path("a.ck"), "--quiet"}));
  refuse(fit({"--checkpoint", path("a.ck"), "--resume", "--folds", "4"}), {"a.ck", "another training", "folds"});
  write("data.csv", surface(81));
  refuse(fit({"--checkpoint", path("a.ck"), "--resume"}), {"a.ck", "another training", "81 x 3"});
  refuse(fit({"--resume"}), {"--checkpoint"});
  refuse({"fit", path("data.csv"), "--target", "y", "--checkpoint", path("a.ck"), "--trainer", "likelihood"},
         {"--checkpoint", "likelihood"});
  write("b.ck", "not a checkpoint");
  refuse(fit({"--checkpoint", path("b.ck"), "--resume"}), {"b.ck", "not a gpcv checkpoint"});
  refuse(fit({"--checkpoint", path("data.csv")}), {"data.csv"});
}

TEST_F(CheckpointCommand, AWarmStartBeginsWhereTheEarlierModelEnded) {
  write("data.csv", surface(300));
  const Json cold = succeed_json(fit({"--json", "-o", path("old.h5")}));
  // Rows were appended since: other means and scales, nearly the same optimum.
  write("data.csv", surface(330));
  const Json warm = succeed_json(fit({"--json", "--warm", path("old.h5")}));
  EXPECT_LT(furthest(warm, cold), 3);
  EXPECT_LT(warm.at("iterations").get<int>(), cold.at("iterations").get<int>());
  refuse({"fit", path("data.csv"), "--target", "y", "--kernel", "matern32(ard)", "--warm", path("old.h5")},
         {"se(", "matern32"});
  refuse({"fit", path("data.csv"), "--target", "y", "--warm", path("none.h5")}, {"none.h5"});
}

}  // namespace
}  // namespace gpcv
