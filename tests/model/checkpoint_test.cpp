#include "gpcv/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "fuzz/hdf5_edits.hpp"
#include "gpcv/error.hpp"
#include "gpcv/synthetic.hpp"
#include "support/message_of.hpp"
#include "support/random_kernel.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

Problem some_problem(std::uint64_t seed = 1) {
  const Synthetic s =
      draw(Kernel::parse("se(l=0.5)"), {.n = 60, .dims = 2, .noise = 0.05, .even = false, .seed = seed});
  return {s.x, s.y, Kernel::parse("se(ard)").bind(2), {}, Folds::random(60, 5, 1)};
}

/// The states a training goes through, with weights and sensitivities in them.
std::vector<TrainingState> states_of(const Problem& problem, const std::string& trainer = "gauss-newton") {
  std::vector<TrainingState> states;
  TrainOptions options;
  options.trainer = trainer;
  options.max_iterations = 10;
  options.compute.solver = Solver::cg;
  options.checkpoint = [&](const TrainingState& state) { states.push_back(state); };
  train(problem, options);
  return states;
}

std::string refusal(const std::filesystem::path& path) {
  return message_of([&] { load_checkpoint(path); });
}

TEST(Checkpoint, GivesBackEveryBitOfWhatWasSaved) {
  const TemporaryFolder folder;
  const Problem problem = some_problem();
  std::vector<TrainingState> states = states_of(problem);
  ASSERT_FALSE(states.empty());
  const std::vector<TrainingState> by_folds = states_of(problem, "consensus");
  ASSERT_FALSE(by_folds.empty());
  states.insert(states.end(), by_folds.begin(), by_folds.end());
  for (const TrainingState& state : states) {
    const Checkpoint saved{identity_of(problem, {}), {{0, 4}, {1, 2, 3}}, state};
    save(saved, folder / "a.ck");
    const Checkpoint read = load_checkpoint(folder / "a.ck");
    EXPECT_EQ(read.identity, saved.identity);
    EXPECT_EQ(read.validation, saved.validation);
    EXPECT_EQ(read.state.level, state.level);
    EXPECT_EQ(read.state.round, state.round);
    EXPECT_EQ(read.state.held_variance, state.held_variance);
    EXPECT_EQ(read.state.seconds, state.seconds);
    EXPECT_EQ(read.state.best, state.best);
    EXPECT_EQ(read.state.remark, state.remark);
    ASSERT_EQ(read.state.runs.size(), state.runs.size());
    for (std::size_t i = 0; i < state.runs.size(); ++i) {
      const RunState &a = read.state.runs[i], &b = state.runs[i];
      EXPECT_EQ(a.restart, b.restart);
      EXPECT_EQ(a.iteration, b.iteration);
      EXPECT_EQ(a.status, b.status);
      EXPECT_EQ(a.fold, b.fold);
      EXPECT_EQ(a.start, b.start);
      EXPECT_EQ(a.theta, b.theta);
      EXPECT_EQ(a.objective, b.objective);
      EXPECT_EQ(a.damping, b.damping);
      EXPECT_EQ(a.gained, b.gained);
      EXPECT_EQ(a.prior_weight, b.prior_weight);
      EXPECT_EQ(a.accuracy, b.accuracy);
      EXPECT_EQ(a.weights, b.weights);
      EXPECT_NE(a.weights.size() > 0, a.multipliers.size() > 0);  // of the folds, or of what they share
      EXPECT_EQ(a.multipliers, b.multipliers);
      EXPECT_EQ(a.curvature, b.curvature);
      EXPECT_EQ(a.steering, b.steering);
      EXPECT_EQ(a.sensitivities, b.sensitivities);
    }
    ASSERT_EQ(read.state.history.size(), state.history.size());
    for (std::size_t i = 0; i < state.history.size(); ++i) {
      EXPECT_EQ(read.state.history[i].theta, state.history[i].theta);
      EXPECT_EQ(read.state.history[i].measures, state.history[i].measures);
      EXPECT_EQ(read.state.history[i].objective, state.history[i].objective);
    }
    ASSERT_EQ(read.state.optima.size(), state.optima.size());
    for (std::size_t i = 0; i < state.optima.size(); ++i) {
      EXPECT_EQ(read.state.optima[i].kernel, state.optima[i].kernel);
      EXPECT_EQ(read.state.optima[i].status, state.optima[i].status);
    }
  }
}

TEST(Checkpoint, IsRefusedWhenAnyByteIsWrongOrMissing) {
  const TemporaryFolder folder;
  const Problem problem = some_problem();
  save(Checkpoint{identity_of(problem, {}), {}, states_of(problem).front()}, folder / "a.ck");
  std::ifstream file(folder / "a.ck", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    std::string bad = bytes;
    const std::size_t at = random.below(bytes.size());
    if (trial % 2 == 0) {
      bad[at] = static_cast<char>(bad[at] ^ 0x10);
    } else {
      bad.resize(at);
    }
    std::ofstream(folder / "b.ck", std::ios::binary) << bad;
    EXPECT_NE(refusal(folder / "b.ck"), "") << (trial % 2 == 0 ? "byte " : "cut at ") << at;
  }
  EXPECT_THAT(refusal(folder / "none.ck"), ::testing::HasSubstr("cannot open checkpoint"));
}

TEST(Checkpoint, WithNumbersThatCannotBeIsRefused) {
  const TemporaryFolder folder;
  Checkpoint checkpoint{"seed: 1\n", {{0, 1}}, {}};
  checkpoint.state.runs.resize(2);
  checkpoint.state.optima = {{1, Status::converged, 0.5, "se", 0.1}};
  checkpoint.state.history = {{0, 1, 2, 0.5, 0.1, 3, {1, 2}, {3}}};
  save(checkpoint, folder / "a.ck");
  std::ifstream file(folder / "a.ck", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto after = [&](const std::string& edit) {
    std::ofstream(folder / "b.ck", std::ios::binary) << fuzz::edited(bytes, edit);
    return refusal(folder / "b.ck");
  };
  using ::testing::HasSubstr;
  EXPECT_EQ(after(""), "");
  // As many as the file has bytes: room for them would take hundreds of times the file.
  EXPECT_THAT(after("attribute / runs u64 " + std::to_string(bytes.size())), HasSubstr("more runs"));
  EXPECT_THAT(after("attribute / fold_count u64 " + std::to_string(bytes.size())), HasSubstr("more runs or folds"));
  EXPECT_THAT(after("attribute / runs u64 3"), HasSubstr("run2"));
  EXPECT_THAT(after("fill /optima/numbers nan"), HasSubstr("out of range"));
  EXPECT_THAT(after("fill /optima/numbers 1e300"), HasSubstr("out of range"));
  EXPECT_THAT(after("fill /history/values -1e300"), HasSubstr("out of range"));
  EXPECT_THAT(after("attribute /history parameters i64 9223372036854775807"), HasSubstr("another shape"));
  EXPECT_THAT(after("dataset /run0/weights f64 4294967296 4294967296"), HasSubstr("larger than its file"));
}

TEST(Checkpoint, OfAnotherTrainingIsRefusedWithWhatDiffers) {
  const Problem problem = some_problem();
  const Checkpoint saved{identity_of(problem, {}), {}, {}};
  EXPECT_NO_THROW(require_same_training(saved, identity_of(problem, {}), "a.ck"));
  const auto difference = [&](const Problem& other, const TrainOptions& options) {
    return message_of([&] { require_same_training(saved, identity_of(other, options), "a.ck"); });
  };
  Problem other = problem;
  other.y(3) += 1e-12;
  EXPECT_THAT(difference(other, {}), ::testing::HasSubstr("data: 60 x 2"));
  other = problem;
  other.folds = Folds::random(60, 4, 1);
  EXPECT_THAT(difference(other, {}), ::testing::HasSubstr("folds: 4 random"));
  other = problem;
  other.kernel = Kernel::parse("matern32(ard)").bind(2);
  EXPECT_THAT(difference(other, {}), ::testing::HasSubstr("matern32"));
  TrainOptions seeded;
  seeded.seed = 7;
  EXPECT_THAT(difference(problem, seeded), ::testing::HasSubstr("seed: 7"));
}

}  // namespace
}  // namespace gpcv
