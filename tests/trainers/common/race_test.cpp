#include "trainers/common/race.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace gpcv {
namespace {

/// Losses around a mean; the noise of a row is the same for all contenders of one seed.
Vector losses(double mean, Index rows = 400, std::uint64_t seed = 5) {
  Random random(seed);
  Vector values(rows);
  for (double& v : values) v = mean + random.normal();
  return values;
}

TEST(Race, TheBestRemainAndTheOthersLeave) {
  const std::vector<double> quality{3, 1, 2, 1.5, 5};
  std::vector<int> rounds(quality.size(), 0);
  const RaceRules rules{.places = {10, 3, 2}, .hopeless = 1e9};
  const std::vector<Raced> ranking = race(quality.size(), rules, [&](std::size_t i, int) {
    ++rounds[i];
    return losses(quality[i], 400, i);
  });
  ASSERT_EQ(ranking.size(), quality.size());
  EXPECT_EQ(ranking[0].contender, 1u);
  EXPECT_EQ(ranking[1].contender, 3u);
  EXPECT_EQ(rounds, (std::vector<int>{1, 3, 2, 3, 1}));
  EXPECT_EQ(ranking[4].contender, 4u) << "the worst left first";
  EXPECT_NEAR(ranking[1].behind.mean, 0.5, 0.3);
  EXPECT_NEAR(ranking[1].behind.error, std::sqrt(2.0 / 400), 0.01);
}

TEST(Race, ContendersMayJoinInALaterRound) {
  std::vector<int> first(4, -1);
  const RaceRules rules{.places = {10, 1, 2}, .joins = [](std::size_t i) { return i < 2 ? 0 : 1; }, .hopeless = 1e9};
  const std::vector<Raced> ranking = race(4, rules, [&](std::size_t i, int round) {
    if (first[i] < 0) first[i] = round;
    return losses(4 - static_cast<double>(i));
  });
  EXPECT_EQ(first, (std::vector<int>{0, 0, 1, 1}));
  ASSERT_EQ(ranking.size(), 4u);
  EXPECT_EQ(ranking[0].contender, 3u);
  EXPECT_EQ(ranking[1].contender, 2u) << "one of the first stayed, and both that joined were better";
  EXPECT_EQ(ranking[3].contender, 0u) << "it left after the first round";
}

TEST(Race, TheNoiseOfTheRowsCancelsInPairs) {
  const std::vector<Raced> ranking = race(2, {.places = {2}, .hopeless = 1e30},
                                          [](std::size_t i, int) { return losses(1 + 0.5 * static_cast<double>(i)); });
  EXPECT_NEAR(ranking[1].behind.mean, 0.5, 1e-12);
  EXPECT_NEAR(ranking[1].behind.error, 0, 1e-6);
}

TEST(Race, ARoundThatIsInterruptedDoesNotCount) {
  bool interrupted = false;
  const RaceRules rules{.places = {3, 3, 3}, .hopeless = 1e9, .interrupted = [&] { return interrupted; }};
  const std::vector<Raced> ranking = race(3, rules, [&](std::size_t i, int round) {
    interrupted = round == 1;
    // The best of the first round is cut short in the second.
    return round == 1 && i == 0 ? Vector() : losses(1 + static_cast<double>(i));
  });
  ASSERT_EQ(ranking.size(), 3u);
  EXPECT_EQ(ranking[0].contender, 0u);
  EXPECT_EQ(ranking[0].round, 0);
  EXPECT_NEAR(ranking[0].loss, losses(1).mean(), 1e-12);
}

TEST(Race, AContenderThatFailsOrIsHopelessLeavesAtOnce) {
  int tried = 0;
  const RaceRules rules{.places = {10, 10}};
  const std::vector<Raced> ranking = race(3, rules, [&](std::size_t i, int round) {
    tried += i == 1 && round > 0;
    return i == 0 ? losses(1) : i == 1 ? Vector() : losses(4);
  });
  EXPECT_EQ(tried, 0);
  EXPECT_EQ(ranking.front().contender, 0u);
  EXPECT_EQ(ranking.front().round, 1);
  EXPECT_TRUE(std::isinf(ranking.back().loss));
}

TEST(Race, AStopEndsItWithWhatIsKnown) {
  bool stop = false;
  const RaceRules rules{.places = {3, 3, 3}, .stop = [&] { return stop; }};
  const std::vector<Raced> ranking = race(3, rules, [&](std::size_t i, int) {
    stop = true;
    return losses(1 + 0.01 * static_cast<double>(i));
  });
  EXPECT_EQ(ranking.front().contender, 0u);
  EXPECT_EQ(ranking.front().round, 0);
}

TEST(Race, ARicherContenderMustWinByAStandardError) {
  const auto with = [](double behind, double error) {
    Raced raced;
    raced.round = 2;
    raced.loss = 1 + behind;
    raced.behind = {behind, error};
    return raced;
  };
  std::vector<Raced> ranking{with(0, 0), with(0.1, 0.2), with(0.3, 0.2)};
  for (std::size_t i = 0; i < 3; ++i) ranking[i].contender = i;
  EXPECT_EQ(simplest_of_the_best(ranking, {9, 5, 1}), 1u) << "the third is more than one error behind";
  EXPECT_EQ(simplest_of_the_best(ranking, {5, 5, 1}), 0u) << "of equals the best wins";
  ranking[1].round = 1;
  EXPECT_EQ(simplest_of_the_best(ranking, {9, 5, 1}), 0u) << "losses of other rounds are not comparable";
}

TEST(Race, ThreadsChangeNothing) {
  const auto advance = [](std::size_t i, int round) {
    return losses(1.0 + static_cast<double>((i * 7) % 5), 50 + round);
  };
  const std::vector<Raced> one = race(6, {.places = {6, 3}, .concurrently = 1}, advance),
                           two = race(6, {.places = {6, 3}, .concurrently = 3}, advance);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].contender, two[i].contender);
}

}  // namespace
}  // namespace gpcv
