/// The end of a fit by a clock that the test moves.
#include "core/deadline.hpp"

#include <gtest/gtest.h>

namespace gpcv {
namespace {

struct Moved {
  double now = 100;
  bool asked = false;
  Deadline until(double limit) {
    return Deadline(
        limit, [this] { return asked; }, Deadline::Clock([this] { return now; }));
  }
};

TEST(Deadline, WithoutALimitIsNeverOver) {
  Moved time;
  Deadline end = time.until(Deadline::never);
  end.reserve(1e9);
  time.now += 1e9;
  EXPECT_FALSE(end.is_limited());
  EXPECT_FALSE(end.over());
}

TEST(Deadline, EndsWhereTheReserveBegins) {
  Moved time;
  Deadline end = time.until(30);
  end.reserve(8);
  time.now += 21.9;
  EXPECT_FALSE(end.over());
  EXPECT_NEAR(end.free(), 0.1, 1e-9);
  time.now += 0.2;
  EXPECT_TRUE(end.over());
  EXPECT_FALSE(end.requested());
  end.reserve(2);
  EXPECT_FALSE(end.over()) << "later parts have what was kept for them";
  time.now += 6;
  EXPECT_TRUE(end.over());
}

TEST(Deadline, ARequestLeavesAGracePeriodToWhatIsFinished) {
  Moved time;
  Deadline end = time.until(Deadline::never);
  end.allow(10);
  time.asked = true;
  EXPECT_TRUE(end.over());
  EXPECT_TRUE(end.requested());
  end.finish();
  EXPECT_FALSE(end.over());
  time.now += 9;
  EXPECT_FALSE(end.over());
  EXPECT_NEAR(end.left(), 1, 1e-9);
  time.now += 1.5;
  EXPECT_TRUE(end.over());
  end.go_on();
  EXPECT_TRUE(end.over());
}

TEST(Deadline, ARequestDoesNotProlongALimit) {
  Moved time;
  Deadline end = time.until(5);
  end.allow(10);
  end.request();
  EXPECT_NEAR(end.left(), 5, 1e-9);
  time.now += 1;
  end.request();
  EXPECT_NEAR(end.left(), 4, 1e-9) << "a second request changes nothing";
}

}  // namespace
}  // namespace gpcv
