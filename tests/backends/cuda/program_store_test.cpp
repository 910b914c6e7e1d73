#include "backends/cuda/driver/program_store.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <thread>

#include "gpcv/error.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv::cuda {
namespace {

std::vector<char> bytes_of(const std::string& source) { return {source.begin(), source.end()}; }

std::vector<std::string> sources(int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back("source " + std::to_string(i));
  return out;
}

TEST(ProgramStore, EveryProgramIsMadeOnceWhoeverAsks) {
  std::atomic<int> compiled = 0;
  ProgramStore store(
      [&](const std::string& source) {
        ++compiled;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return bytes_of(source);
      },
      "options", {});
  const std::vector<std::string> all = sources(12);
  store.foresee(all, 3);
  store.foresee(all, 3);
  std::vector<std::future<void>> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.push_back(std::async(std::launch::async, [&, caller] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string& source = all[caller == 0 ? i : all.size() - 1 - i];
        EXPECT_EQ(*store.image(source), bytes_of(source));
      }
    }));
  }
  callers.clear();
  EXPECT_EQ(compiled, 12);
  EXPECT_EQ(store.cost_of_all().kernels, 12);
  EXPECT_EQ(store.cost_of_all().unforeseen, 0);
  (void)store.image("another");
  EXPECT_EQ(store.cost_of_all().unforeseen, 1);
  EXPECT_GE(store.cost_of_all().seconds, 12 * 0.002);
}

TEST(ProgramStore, WhatIsInProgressIsWaitedForAndWhatIsNotIsMadeHere) {
  std::latch begun(1), proceed(1);
  std::atomic<int> compiled = 0;
  ProgramStore store(
      [&](const std::string& source) {
        ++compiled;
        if (source == "slow") {
          begun.count_down();
          proceed.wait();
        }
        return bytes_of(source);
      },
      "options", {});
  store.foresee({"slow", "quick"}, 1);
  begun.wait();
  // The only thread is busy with the first.
  EXPECT_EQ(*store.image("quick"), bytes_of("quick"));
  EXPECT_EQ(compiled, 2);
  auto waiting = std::async(std::launch::async, [&] { return store.image("slow"); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  proceed.count_down();
  EXPECT_EQ(*waiting.get(), bytes_of("slow"));
  EXPECT_EQ(compiled, 2);
  EXPECT_GT(store.cost_of_all().waited, 0);
}

TEST(ProgramStore, AFailureIsToldToWhoeverNeedsTheProgramAndToNobodyElse) {
  ProgramStore store(
      [](const std::string& source) {
        if (source == "source 1") throw Error("line 7: no such thing");
        return bytes_of(source);
      },
      "options", {});
  store.foresee(sources(3), 2);
  EXPECT_EQ(*store.image("source 0"), bytes_of("source 0"));
  EXPECT_EQ(*store.image("source 2"), bytes_of("source 2"));
  for (int time = 0; time < 2; ++time) {
    try {
      (void)store.image("source 1");
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "line 7: no such thing");
    }
  }
}

TEST(ProgramStore, AbandoningDropsWhatHasNotBegunAndWaitsForTheRest) {
  std::latch begun(1);
  std::atomic<int> compiled = 0, finished = 0;
  ProgramStore store(
      [&](const std::string& source) {
        if (++compiled == 1) begun.count_down();
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        ++finished;
        return bytes_of(source);
      },
      "options", {});
  const std::vector<std::string> all = sources(50);
  store.foresee(all, 2);
  begun.wait();
  store.abandon();
  const int made = finished;
  EXPECT_EQ(made, compiled);
  EXPECT_LT(made, 50);
  // What was dropped is made by whoever asks, or when it is foreseen again.
  EXPECT_EQ(*store.image(all.back()), bytes_of(all.back()));
  EXPECT_EQ(finished, made + 1);
  store.foresee({all[all.size() - 2]}, 1);
  EXPECT_EQ(*store.image(all[all.size() - 2]), bytes_of(all[all.size() - 2]));
  EXPECT_EQ(finished, made + 2);
}

TEST(ProgramStore, WhatIsOnDiskIsNotCompiledUnlessTheOptionsDiffer) {
  const TemporaryFolder folder;
  int compiled = 0;
  const auto compile = [&](const std::string& source) {
    ++compiled;
    return bytes_of(source);
  };
  (void)ProgramStore(compile, "sm_90, 13.0", folder.path()).image("source");
  ProgramStore again(compile, "sm_90, 13.0", folder.path());
  again.foresee({"source"}, 1);
  EXPECT_EQ(*again.image("source"), bytes_of("source"));
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(again.cost_of_all().kernels, 0);
  // A driver that refuses the one on disk gets a new one.
  EXPECT_EQ(*again.compiled_anew("source"), bytes_of("source"));
  EXPECT_EQ(compiled, 2);
  (void)ProgramStore(compile, "sm_80, 13.0", folder.path()).image("source");
  EXPECT_EQ(compiled, 3);
}

}  // namespace
}  // namespace gpcv::cuda
