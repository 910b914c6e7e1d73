/// Tests of the table of trainers: names and measures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpcv/error.hpp"
#include "support/gauss_newton_runs.hpp"
#include "support/message_of.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

TEST(TrainerTable, HasEveryTrainerTheDefaultFirst) {
  EXPECT_THAT(trainer_names(), ::testing::IsSupersetOf({"gauss-newton", "likelihood", "admm", "naive", "consensus"}));
  EXPECT_EQ(trainer_names().front(), TrainOptions{}.trainer);
  for (const std::string& name : trainer_names()) EXPECT_EQ(trainer_info(name).name, name);
  for (const char* known : {"gauss-newton", "likelihood", "admm", "naive", "consensus"}) {
    const std::string name = known;
    EXPECT_EQ(trainer_info(name).one_fold, name == "admm");
    EXPECT_EQ(trainer_info(name).pools_folds, name == "gauss-newton");
    EXPECT_EQ(uses_folds(name), name != "likelihood");
    EXPECT_EQ(trainer_info(name).can_checkpoint, name != "likelihood");
  }
  EXPECT_TRUE(uses_folds("of a newer program"));
  EXPECT_THAT(message_of([] { trainer_info("alchemy"); }), HasSubstr("naive, consensus"));
}

TEST(TrainerTable, EveryTrainerReportsTheMeasuresItNames) {
  for (const std::string& trainer : trainer_names()) {
    Problem problem = folded("se(l=2, s2=1)", "0.3", 60, 4);
    if (trainer_info(trainer).one_fold) problem.folds = Folds::holdout(60, 0.4, 4);
    TrainOptions options;
    options.trainer = trainer;
    options.restarts = 1;
    options.max_iterations = 2;
    const TrainResult result = train(problem, options);
    ASSERT_FALSE(result.history.empty()) << trainer;
    EXPECT_EQ(result.history.front().measures.size(), measure_names(options).size()) << trainer;
    ASSERT_FALSE(result.optima.empty()) << trainer;
    EXPECT_EQ(result.optima.front().log_theta.size(), 3) << trainer << ": l, s2 and the noise";
    const TrainingCost cost = trainer_traits(trainer).cost(problem, options);
    EXPECT_TRUE(!cost.memory.empty() || cost.seconds.has_value()) << trainer;
  }
}

}  // namespace
}  // namespace gpcv
