/// Tests of the settings of trainers as text, and of the presets.
#include "gpcv/trainer_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gpcv/error.hpp"
#include "support/message_of.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A valid value of a setting with this name and type.
void fill(std::string_view name, std::optional<std::string>& field) {
  if (name == "preset") field = "paper";
  if (name == "derivatives") field = "forward";
  if (name == "criterion") field = "log";
  if (name == "hold") field = "noise";
  if (name == "choose") field = "training";
  if (name == "theta_step") field = "adam";
  if (name == "step_rule") field = "line";
  if (name == "variables") field = "theta";
  if (name == "stop") field = "none";
  if (name == "inner") field = "admm";
  if (name == "consensus_penalty") field = "scalar";
}
void fill(std::string_view, std::optional<double>& field) { field = 0.3; }
void fill(std::string_view, std::optional<int>& field) { field = 3; }
void fill(std::string_view, std::optional<bool>& field) { field = true; }
void fill(std::string_view, std::optional<std::vector<double>>& field) { field = {0.2}; }

/// Settings of a trainer with a value for one setting.
TrainerSettings with(const std::string& trainer, std::string_view setting) {
  TrainerSettings settings;
  settings.trainer = trainer;
  TrainerSettings::visit_fields(settings, [&](const char* name, auto& field) {
    if (name == setting) fill(setting, field);
  });
  // Other settings with which it has an effect.
  if (trainer == "consensus" && setting != "inner") settings.inner = "admm";
  const bool admm = trainer == "admm" || trainer == "naive" || trainer == "consensus";
  if (admm && setting != "theta_step") settings.theta_step = "coordinate";
  if (admm && setting == "step_size") settings.step_rule = "constant";
  if (trainer == "consensus" && setting == "inner") settings.theta_step.reset();
  return settings;
}

FitOptions applied(const TrainerSettings& settings, const std::string& kernel = "se(l=1)") {
  FitOptions options;
  options.kernel = Kernel::parse(kernel);
  settings.apply(options);
  return options;
}

TrainerSettings preset(const std::string& name, const std::string& trainer = "naive") {
  TrainerSettings settings;
  settings.trainer = trainer;
  settings.preset = name;
  return settings;
}

/// Value of a parameter of the kernel.
const Parameter& named(const Kernel& kernel, std::string_view name) {
  for (const Parameter& p : kernel.parameters()) {
    if (p.name == name) return p;
  }
  throw std::out_of_range(std::string(name));
}

TEST(TrainerSettings, TrainersTakeTheirOwnSettingsAndRefuseTheOthers) {
  std::set<std::string_view> all, known;
  for (const TrainerTraits& traits : trainer_table()) all.insert(traits.settings.begin(), traits.settings.end());
  TrainerSettings settings;
  TrainerSettings::visit_fields(settings, [&](const char* name, const auto&) { known.insert(name); });
  EXPECT_EQ(all, known) << "every setting has a trainer, and every trainer's setting exists";
  for (const TrainerTraits& traits : trainer_table()) {
    const std::set<std::string_view> own(traits.settings.begin(), traits.settings.end());
    for (const std::string_view setting : all) {
      const std::string trainer(traits.info.name);
      SCOPED_TRACE(trainer + " " + std::string(setting));
      const std::string message = message_of([&] { applied(with(trainer, setting)); });
      EXPECT_EQ(message.empty(), own.contains(setting)) << message;
    }
  }
  EXPECT_THAT(message_of([&] { applied(with("likelihood", "prior")); }),
              HasSubstr("gauss-newton, admm, naive or consensus, not of likelihood"));
  EXPECT_THAT(message_of([&] { applied(with("consensus", "trace_gap")); }), HasSubstr("admm or naive, not"));
  EXPECT_THAT(message_of([&] { applied(with("alchemy", "")); }), HasSubstr("unknown trainer 'alchemy'"));
}

TEST(TrainerSettings, EverySettingOfAdmmReachesTheOptions) {
  TrainerSettings s;
  s.trainer = "consensus";
  TrainerSettings::visit_admm_fields(s, [&](const char* name, auto& field) {
    for (const std::string_view other : {"trace_gap", "preset", "step_size", "step_rule"}) {
      if (name == other) return;
    }
    fill(name, field);
  });
  s.theta_step = "gradient";
  const TrainOptions train = applied(s).train;
  const AdmmOptions& admm = train.admm;
  EXPECT_EQ(admm.theta_step, ThetaStep::gradient);
  EXPECT_EQ(admm.theta_steps, 3);
  EXPECT_THAT(admm.theta_tolerance, ElementsAre(0.2));
  EXPECT_THAT(admm.armijo_start, ElementsAre(0.2));
  EXPECT_EQ(admm.armijo_shrink, 0.3);
  EXPECT_EQ(admm.armijo_slope, 0.3);
  EXPECT_TRUE(admm.raw_theta);
  EXPECT_EQ(admm.stop, StopRule::none);
  EXPECT_EQ(admm.choose, ChooseBy::training);
  EXPECT_EQ(admm.rho, 0.3);
  EXPECT_EQ(admm.rho_dual, 0.3);
  EXPECT_TRUE(admm.balance_rho);
  EXPECT_EQ(admm.lambda0, 0.3);
  EXPECT_EQ(admm.perturbation, 0.3);
  EXPECT_EQ(admm.z_tolerance, 0.3);
  EXPECT_EQ(admm.z_step_tolerance, 0.3);
  EXPECT_EQ(admm.z_iterations, 3);
  EXPECT_TRUE(admm.precondition);
  EXPECT_EQ(train.consensus.inner, InnerEngine::admm);
  EXPECT_EQ(train.consensus.penalty, ConsensusPenalty::scalar);
  EXPECT_EQ(train.consensus.rho, 0.3);
}

TEST(TrainerSettings, ASettingWithoutEffectIsRefused) {
  TrainerSettings s;
  s.trainer = "admm";
  s.theta_step = "gradient";
  s.step_rule = "constant";
  s.step_size = 0.3;
  EXPECT_EQ(applied(s).train.admm.step_rule, StepRule::constant);
  EXPECT_EQ(applied(s).train.admm.step_size, 0.3);
  s.step_rule = "line";
  EXPECT_THAT(message_of([&] { applied(s); }), HasSubstr("step_size has no effect with the step rule line"));
  s.step_size.reset();
  s.armijo_start = {1};
  EXPECT_EQ(applied(s).train.admm.step_rule, StepRule::line);
  s.armijo_slope = 0.1;
  EXPECT_THAT(message_of([&] { applied(s); }), HasSubstr("armijo_slope has no effect with the step rule line"));
  s.theta_step = "adam";
  s.step_rule.reset();
  EXPECT_THAT(message_of([&] { applied(s); }), HasSubstr("the theta-step adam"));
  s.theta_step.reset();
  EXPECT_THAT(message_of([&] { applied(s); }), HasSubstr("the theta-step gauss-newton"));
  TrainerSettings consensus;
  consensus.trainer = "consensus";
  consensus.rho = 3;
  EXPECT_THAT(message_of([&] { applied(consensus); }), HasSubstr("rho has no effect with a consensus"));
  consensus.inner = "admm";
  EXPECT_EQ(applied(consensus).train.admm.rho, 3);
}

TEST(TrainerSettings, ThePresetOfAConsensusTellsItsPenalty) {
  TrainerSettings s = preset("paper", "consensus");
  s.rho_consensus = 7;
  EXPECT_THAT(applied(s).preset, HasSubstr("scalar penalty 7"));
  EXPECT_THAT(applied(s).preset, ::testing::Not(HasSubstr("armijo")));
  s.inner = "admm";
  EXPECT_THAT(applied(s).preset, HasSubstr("armijo"));
}

TEST(TrainerSettings, RhoIsWhatTheUserGives) {
  TrainerSettings s;
  s.trainer = "consensus";
  s.inner = "admm";
  EXPECT_EQ(applied(s).train.admm.rho, 100);
  s.rho = 7;
  EXPECT_EQ(applied(s).train.admm.rho, 7);
  s.rho.reset();
  s.preset = "paper";
  EXPECT_EQ(applied(s).train.admm.rho, 5);
}

TEST(TrainerSettings, HoldsWhatItIsTold) {
  for (const char* what : {"none", "variances", "noise", "both"}) {
    TrainerSettings s = preset("paper");
    s.hold = what;
    const FitOptions options = applied(s, "se(l=2, s2=1.5) + lp(l=1, p=2)");
    const std::string_view held(what);
    EXPECT_EQ(options.noise.fixed, held == "noise" || held == "both");
    for (const Parameter& p : options.kernel.parameters()) {
      EXPECT_EQ(p.fixed, p.role == Role::variance && (held == "variances" || held == "both")) << p.name << " " << what;
    }
  }
  EXPECT_FALSE(applied(preset("default")).noise.fixed);
}

TEST(TrainerSettings, ThePaperKeepsTheUnitsAndSaysWhatItSets) {
  const FitOptions options = applied(preset("paper"));
  EXPECT_FALSE(options.standardize);
  EXPECT_TRUE(options.noise.fixed);
  EXPECT_EQ(options.train.consensus.penalty, ConsensusPenalty::scalar);
  for (const char* part : {"paper: ", "own units", "coordinate", "armijo", "0.125", "rho 5", "lambda0 1",
                           "|dtheta| < 0.01", "100 iterations"}) {
    EXPECT_THAT(options.preset, HasSubstr(part));
  }
  EXPECT_EQ(options.preset.find('\n'), std::string::npos);
  EXPECT_TRUE(applied(preset("default")).preset.empty());
  EXPECT_TRUE(applied(preset("default")).standardize);
  EXPECT_THAT(message_of([&] { applied(preset("magic")); }), HasSubstr("default, paper, authors"));
}

TEST(TrainerSettings, TheAuthorsHaveOneProgramPerKernel) {
  struct Case {
    const char* kernel;
    int iterations;
    std::vector<std::pair<const char*, double>> starts;
    std::vector<double> armijo;
  };
  for (const Case& c :
       {Case{"se", 10, {{"se.l", 0.9}}, {0.125}}, Case{"lp", 20, {{"lp.l", 0.9}, {"lp.p", 1.5}}, {0.125}},
        Case{"se + lp", 100, {{"se.l", 3.5}, {"lp.l", 1.5}, {"lp.p", 2.5}}, {0.125, 0.0625, 0.0625}},
        Case{"se + se * periodic", 50, {{"se1.l", 30}, {"se2.l", 10}, {"periodic.l", 0.5}}, {1}}}) {
    SCOPED_TRACE(c.kernel);
    const FitOptions options = applied(preset("authors"), c.kernel);
    EXPECT_EQ(options.train.max_iterations, c.iterations);
    EXPECT_EQ(options.train.admm.stop, StopRule::none);
    EXPECT_EQ(options.train.admm.armijo_start, c.armijo);
    EXPECT_EQ(options.noise.variance, 0.25);
    EXPECT_TRUE(options.noise.fixed);
    EXPECT_FALSE(options.standardize);
    for (const auto& [name, value] : c.starts) {
      EXPECT_EQ(named(options.kernel, name).value, value) << name;
      EXPECT_FALSE(named(options.kernel, name).fixed) << name;
    }
    std::size_t trained = 0;
    const Kernel bound = options.kernel.bind(1);
    for (const Parameter& p : bound.parameters()) trained += p.fixed ? 0 : 1;
    EXPECT_EQ(trained, c.starts.size());
  }
  const Kernel co2 = applied(preset("authors"), "se + se * periodic").kernel;
  EXPECT_NEAR(named(co2, "se1.s2").value, 66 * 0.01316 * 4, 1e-12);
  EXPECT_NEAR(named(co2, "periodic.p").value, 0.197, 1e-12);
}

TEST(TrainerSettings, WhatIsGivenOverridesTheAuthors) {
  TrainerSettings s = preset("authors");
  s.max_iterations = 7;
  s.armijo_start = {0.5};
  FitOptions options;
  options.kernel = Kernel::parse("lp(l=2)");
  options.noise = Noise::parse("0.1");
  s.apply(options);
  EXPECT_EQ(options.train.max_iterations, 7);
  EXPECT_THAT(options.train.admm.armijo_start, ElementsAre(0.5));
  EXPECT_EQ(named(options.kernel, "lp.l").value, 2);
  EXPECT_EQ(named(options.kernel, "lp.p").value, 1.5);
  EXPECT_EQ(options.noise.variance, 0.1);
  EXPECT_THAT(message_of([&] { applied(s, "matern32"); }), HasSubstr("se + se * periodic"));
  EXPECT_THAT(message_of([&] { applied(s, "se * lp"); }), HasSubstr("se * lp"));
}

}  // namespace
}  // namespace gpcv
