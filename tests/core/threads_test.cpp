#include "core/threads.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

namespace gpcv {
namespace {

TEST(BlasThreads, ScopesThatOverlapInAnyOrderGiveTheNumberBack) {
  const int original = BlasThreads::current();
  std::optional<BlasThreads> first(std::in_place, original + 1), second(std::in_place, 1);
  EXPECT_EQ(BlasThreads::current(), 1);
  first.reset();
  EXPECT_EQ(BlasThreads::current(), 1);
  {
    const BlasThreads inner(2);
    EXPECT_EQ(BlasThreads::current(), 2);
  }
  EXPECT_EQ(BlasThreads::current(), 1);
  second.reset();
  EXPECT_EQ(BlasThreads::current(), original);
}

TEST(BlasThreads, TwoThreadsLeaveTheNumberAsItWas) {
  const BlasThreads outer(3);
  const auto use = [](int threads) {
    for (int i = 0; i < 2000; ++i) {
      const BlasThreads scope(threads);
      std::this_thread::yield();
    }
  };
  std::thread one(use, 1), other(use, 2);
  one.join();
  other.join();
  EXPECT_EQ(BlasThreads::current(), 3);
}

}  // namespace
}  // namespace gpcv
