/// Tests of the table of trainers: names, settings and measures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gpcv/error.hpp"
#include "gpcv/trainer_settings.hpp"
#include "support/gauss_newton_runs.hpp"
#include "support/message_of.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Settings of a trainer with a value for one setting, named as in the traits.
TrainerSettings with(const std::string& trainer, std::string_view setting) {
  TrainerSettings settings;
  settings.trainer = trainer;
  if (setting == "epsilon") settings.epsilon = 0.1;
  if (setting == "prior") settings.prior = 1;
  if (setting == "derivatives") settings.derivatives = "forward";
  if (setting == "preset") settings.preset = "paper";
  if (setting == "theta_step") settings.theta_step = "adam";
  if (setting == "rho") settings.rho = 2;
  if (setting == "rho_dual") settings.rho_dual = 2;
  if (setting == "lambda0") settings.lambda0 = 2;
  if (setting == "trace_gap") settings.trace_gap = true;
  if (setting == "inner") settings.inner = "admm";
  if (setting == "rho_consensus") settings.rho_consensus = 2;
  return settings;
}

TEST(TrainerTable, HasEveryTrainerTheDefaultFirst) {
  EXPECT_THAT(trainer_names(), ElementsAre("gauss-newton", "likelihood", "admm", "naive", "consensus"));
  EXPECT_EQ(trainer_names().front(), TrainOptions{}.trainer);
  for (const std::string& name : trainer_names()) {
    EXPECT_EQ(trainer_info(name).name, name);
    EXPECT_EQ(trainer_info(name).one_fold, name == "admm");
    EXPECT_EQ(trainer_info(name).pools_folds, name == "gauss-newton");
    EXPECT_EQ(uses_folds(name), name != "likelihood");
    EXPECT_EQ(trainer_info(name).can_checkpoint, name != "likelihood");
  }
  EXPECT_TRUE(uses_folds("of a newer program"));
  EXPECT_THAT(message_of([] { trainer_info("alchemy"); }), HasSubstr("naive, consensus"));
}

TEST(TrainerTable, TrainersTakeTheirOwnSettingsAndRefuseTheOthers) {
  std::set<std::string_view> all;
  for (const TrainerTraits& traits : trainer_table()) all.insert(traits.settings.begin(), traits.settings.end());
  EXPECT_EQ(all.size(), 11u);
  for (const TrainerTraits& traits : trainer_table()) {
    const std::set<std::string_view> own(traits.settings.begin(), traits.settings.end());
    for (const std::string_view setting : all) {
      const std::string trainer(traits.info.name);
      SCOPED_TRACE(trainer + " " + std::string(setting));
      TrainOptions options;
      const std::string message = message_of([&] { with(trainer, setting).apply(options); });
      EXPECT_EQ(message.empty(), own.contains(setting)) << message;
    }
  }
  TrainOptions options;
  EXPECT_THAT(message_of([&] { with("likelihood", "prior").apply(options); }),
              HasSubstr("gauss-newton, admm, naive or consensus, not of likelihood"));
  EXPECT_THAT(message_of([&] { with("consensus", "trace_gap").apply(options); }), HasSubstr("admm or naive, not"));
  EXPECT_THAT(message_of([&] { with("alchemy", "").apply(options); }), HasSubstr("unknown trainer 'alchemy'"));
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
