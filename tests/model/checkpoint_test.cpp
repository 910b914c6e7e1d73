#include "gpcv/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <type_traits>
#include <variant>

#include "core/fields.hpp"
#include "fuzz/hdf5_edits.hpp"
#include "gpcv/error.hpp"
#include "gpcv/synthetic.hpp"
#include "support/message_of.hpp"
#include "support/random_kernel.hpp"
#include "support/temporary_folder.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

Problem some_problem(std::uint64_t seed = 1) {
  const Synthetic s =
      draw(Kernel::parse("se(l=0.5)"), {.n = 60, .dims = 2, .noise = 0.05, .even = false, .seed = seed});
  return {s.x, s.y, Kernel::parse("se(ard)").bind(2), {}, Folds::random(60, 5, 1)};
}

/// The states of a training that contain weights and sensitivities; at most ten.
std::vector<TrainingState> states_of(const Problem& problem, const std::string& trainer = "gauss-newton",
                                     InnerEngine inner = InnerEngine::gauss_newton) {
  std::vector<TrainingState> states;
  TrainOptions options;
  options.trainer = trainer;
  options.max_iterations = 10;
  options.consensus.inner = inner;
  options.compute.solver = Solver::cg;
  options.checkpoint = [&](const TrainingState& state) { states.push_back(state); };
  train(problem, options, [&](const IterationRecord&) { return states.size() < 10; });
  return states;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string refusal(const std::filesystem::path& path) {
  return message_of([&] { load_checkpoint(path); });
}

/// All numbers of a state, in the order of its fields.
template <HasFields State>
std::vector<double> numbers_of(const State& state) {
  std::vector<double> numbers;
  const auto append = [&](const std::vector<double>& more) { numbers.insert(numbers.end(), more.begin(), more.end()); };
  State::visit_fields(state, [&]<class Field>(const char*, const Field& field) {
    if constexpr (HasFields<Field>) {
      append(numbers_of(field));
    } else if constexpr (std::is_arithmetic_v<Field> || std::is_enum_v<Field>) {
      numbers.push_back(static_cast<double>(field));
    } else if constexpr (std::is_same_v<Field, Vector> || std::is_same_v<Field, Matrix>) {
      append({static_cast<double>(field.rows()), static_cast<double>(field.cols())});
      numbers.insert(numbers.end(), field.data(), field.data() + field.size());
    } else {
      numbers.push_back(static_cast<double>(field.size()));
      for (const auto& element : field) append(numbers_of(element));
    }
  });
  return numbers;
}

void expect_same(const TrainingState& read, const TrainingState& state) {
  ASSERT_EQ(read.trainer.index(), state.trainer.index());
  const auto numbers = [](const TrainingState& of) {
    return std::visit([](const auto& own) { return numbers_of(own); }, of.trainer);
  };
  EXPECT_GT(numbers(state).size(), 100u) << "weights among them";
  EXPECT_EQ(numbers(read), numbers(state));
  EXPECT_EQ(read.seconds, state.seconds);
  EXPECT_EQ(read.remark, state.remark);
  ASSERT_EQ(read.history.size(), state.history.size());
  for (std::size_t i = 0; i < state.history.size(); ++i) {
    EXPECT_EQ(read.history[i].theta, state.history[i].theta);
    EXPECT_EQ(read.history[i].measures, state.history[i].measures);
    EXPECT_EQ(read.history[i].objective, state.history[i].objective);
  }
  ASSERT_EQ(read.optima.size(), state.optima.size());
  for (std::size_t i = 0; i < state.optima.size(); ++i) {
    EXPECT_EQ(read.optima[i].log_theta, state.optima[i].log_theta);
    EXPECT_EQ(read.optima[i].objective, state.optima[i].objective);
    EXPECT_EQ(read.optima[i].status, state.optima[i].status);
    EXPECT_EQ(read.optima[i].restart, state.optima[i].restart);
  }
}

TEST(Checkpoint, GivesBackEveryBitOfWhatWasSaved) {
  const TemporaryFolder folder;
  const Problem problem = some_problem();
  const std::string identity = identity_of(problem, {});
  const std::vector<std::vector<Index>> validation{{0, 4}, {1, 2, 3}};
  for (const auto& states : {states_of(problem), states_of(problem, "naive"), states_of(problem, "consensus"),
                             states_of(problem, "consensus", InnerEngine::admm)}) {
    ASSERT_FALSE(states.empty());
    for (const TrainingState& state : states) {
      save_checkpoint(identity, validation, state, folder / "a.ck");
      const Checkpoint read = load_checkpoint(folder / "a.ck");
      EXPECT_EQ(read.identity, identity);
      EXPECT_EQ(read.validation, validation);
      expect_same(*read.state, state);
    }
  }
}

TEST(Checkpoint, OfAnEarlierFormatIsRefusedInOneLine) {
  const TemporaryFolder folder;
  const Problem problem = some_problem();
  save_checkpoint(identity_of(problem, {}), {}, states_of(problem).front(), folder / "a.ck");
  std::string bytes = bytes_of(folder / "a.ck");
  bytes[8] = 1;  // version of the format
  std::ofstream(folder / "b.ck", std::ios::binary) << fuzz::with_checksums(bytes);
  EXPECT_THAT(refusal(folder / "b.ck"), ::testing::HasSubstr("older gpcv (format 1; this program reads 2)"));
}

TEST(Checkpoint, OfAnotherTrainerIsRefusedByTheOneThatResumes) {
  const Problem problem = some_problem();
  TrainOptions options;
  options.resume = std::make_shared<TrainingState>(states_of(problem, "consensus").front());
  EXPECT_THAT(message_of([&] { train(problem, options); }), ::testing::HasSubstr("another trainer"));
  options.resume = std::make_shared<TrainingState>(states_of(problem).front());
  options.trainer = "naive";
  EXPECT_THAT(message_of([&] { train(problem, options); }), ::testing::HasSubstr("another trainer"));
}

TEST(Checkpoint, IsRefusedWhenAnyByteIsWrongOrMissing) {
  const TemporaryFolder folder;
  const Problem problem = some_problem();
  save_checkpoint(identity_of(problem, {}), {}, states_of(problem).front(), folder / "a.ck");
  const std::string bytes = bytes_of(folder / "a.ck");
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
  TrainingState state;
  std::get<GaussNewtonState>(state.trainer).runs.resize(2);
  state.optima = {{1, Status::converged, 0.5, Vector::Ones(2)}};
  state.history = {{0, 1, 2, 0.5, 0.1, 3, {1, 2}, {3}}};
  save_checkpoint("seed: 1\n", {{0, 1}}, state, folder / "a.ck");
  const std::string bytes = bytes_of(folder / "a.ck");
  const auto after = [&](const std::string& edit) {
    std::ofstream(folder / "b.ck", std::ios::binary) << fuzz::edited(bytes, edit);
    return refusal(folder / "b.ck");
  };
  using ::testing::HasSubstr;
  EXPECT_EQ(after(""), "");
  // The counts equal the number of bytes of the file; memory for them would take hundreds of times its size.
  EXPECT_THAT(after("attribute / runs u64 " + std::to_string(bytes.size())), HasSubstr("more runs"));
  EXPECT_THAT(after("attribute / fold_count u64 " + std::to_string(bytes.size())), HasSubstr("more folds"));
  EXPECT_THAT(after("attribute / runs u64 3"), HasSubstr("run2"));
  EXPECT_THAT(after("attribute / runs u64 0"), HasSubstr("no runs"));
  EXPECT_THAT(after("attribute / trainer text alchemy"), HasSubstr("'alchemy' is unknown"));
  EXPECT_THAT(after("attribute /run0 status i64 99"), HasSubstr("status is unknown"));
  EXPECT_THAT(after("fill /optima/log_theta nan"), HasSubstr("not finite"));
  EXPECT_THAT(after("dataset /optima/log_theta f64 2 2"), HasSubstr("another shape"));
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
