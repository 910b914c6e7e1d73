#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "gpcv/checkpoint.hpp"
#include "mpi/ranks.hpp"

namespace gpcv {
namespace {

using Clock = std::chrono::steady_clock;

/// Processes of the command that were started with this text among their arguments.
std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string line{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (line.starts_with(GPCV_COMMAND) && line.find(text) != std::string::npos) found.push_back(std::stoi(name));
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// A training that would go on for ten seconds loses a rank, ten times, at any moment and of any rank.
TEST_F(RanksTest, ARankThatDiesEndsTheJobAndLeavesTheCheckpoint) {
  table(3000);
  std::mt19937 random(3);
  const std::string checkpoint = path("ck");
  for (int round = 0; round < 10; ++round) {
    SCOPED_TRACE(round);
    const int ranks = 2 + round % 3;
    const bool late = round % 2 == 1;  // once there is a checkpoint to lose
    std::filesystem::remove(checkpoint);
    Arguments arguments = fit({"--kernel", "matern52(ard) + rq(ard)", "--checkpoint", checkpoint, "--start", "median",
                               "--restarts", "1", "--epsilon", "1e-12", "--precision", "double", "--quiet"});
    Process job(launch(ranks, arguments));
    const auto deadline = Clock::now() + std::chrono::seconds(30);
    std::vector<pid_t> alive;
    while (static_cast<int>(alive.size()) < ranks && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      alive = processes_with(checkpoint);
    }
    ASSERT_EQ(static_cast<int>(alive.size()), ranks);
    while (late && !std::filesystem::exists(checkpoint) && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % (late ? 300 : 1500)));
    ::kill(alive[random() % alive.size()], SIGKILL);
    const auto killed = Clock::now();
    const Finished result = job.finish(30);
    EXPECT_FALSE(result.timed_out);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_FALSE(result.err.empty());
    // The launcher may be gone a moment before the last rank.
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - killed).count(); };
    while (!processes_with(checkpoint).empty() && seconds() < 30) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_LT(seconds(), 30);
    EXPECT_TRUE(!late || std::filesystem::exists(checkpoint));
    if (std::filesystem::exists(checkpoint)) {
      EXPECT_NO_THROW(load_checkpoint(checkpoint));
    }
  }
}

/// A rank that is told to stop takes the others with it, also where they compute the report together.
TEST_F(RanksTest, ASignalToOneRankStopsAllOfThem) {
  table(1500);
  const std::string checkpoint = path("ck");
  for (const int which : {0, 1}) {
    SCOPED_TRACE(which);
    std::filesystem::remove(checkpoint);
    std::filesystem::remove(path("model.h5"));
    Process job(launch(2, fit({"--kernel", "matern52(ard) + rq(ard)", "--checkpoint", checkpoint, "--start", "median",
                               "--restarts", "1", "--epsilon", "1e-12", "--precision", "double", "--quiet", "--report",
                               path("page.html"), "-o", path("model.h5")})));
    const auto deadline = Clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(checkpoint) && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const std::vector<pid_t> ranks = processes_with(checkpoint);
    ASSERT_EQ(ranks.size(), 2u);
    ::kill(ranks[static_cast<std::size_t>(which)], SIGTERM);
    const Finished result = job.finish(60);
    EXPECT_FALSE(result.timed_out);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(path("model.h5"))) << result.err;
    EXPECT_FALSE(std::filesystem::exists(path("page.html")));
  }
}

}  // namespace
}  // namespace gpcv
