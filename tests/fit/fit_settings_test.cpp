#include "gpcv/fit_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "support/message_of.hpp"

namespace gpcv {
namespace {

using testing::HasSubstr;

std::string message_of_settings(const std::function<void(FitSettings&)>& change) {
  FitSettings settings;
  change(settings);
  return message_of([&] { settings.options(); });
}

TEST(FitSettings, AreThoseOfTheCommandWhereNothingIsGiven) {
  const FitOptions given = FitSettings{}.options(), automatic = FitOptions::automatic();
  EXPECT_EQ(given.choose_kernel, automatic.choose_kernel);
  EXPECT_EQ(given.assess, automatic.assess);
  EXPECT_EQ(given.train.seed, automatic.train.seed);
  EXPECT_EQ(given.standardize, automatic.standardize);
}

TEST(FitSettings, EachHasANameOfItsOwn) {
  std::set<std::string> names;
  FitSettings settings;
  FitSettings::visit_fields(settings, [&](const char* name, auto&) { EXPECT_TRUE(names.insert(name).second) << name; });
  for (const char* name : {"kernel", "rho", "memory", "criterion", "period_scan"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(FitSettings, ReachTheOptions) {
  FitSettings settings;
  settings.kernel = "rq(ard)";
  settings.noise = "0.25:fixed";
  settings.mean = "linear";
  settings.transform = "log:2";
  settings.assess = "inner";
  settings.standardize = false;
  settings.time_limit = 7.5;
  settings.period_scan = false;
  settings.trainer.criterion = "log";
  settings.trainer.restarts = 5;
  settings.compute.memory = "1G";
  settings.compute.rank = 12;
  settings.compute.precision = "double";
  const FitOptions options = settings.options();
  EXPECT_EQ(options.kernel.to_string(), "rq(ard)");
  EXPECT_FALSE(options.choose_kernel);
  EXPECT_TRUE(options.noise.fixed);
  EXPECT_EQ(options.mean, Mean::linear);
  EXPECT_EQ(options.transform.given.offset, 2);
  EXPECT_EQ(options.assess, Assess::inner);
  EXPECT_FALSE(options.standardize);
  EXPECT_EQ(options.train.time_limit, 7.5);
  EXPECT_FALSE(options.train.scan_periods);
  EXPECT_EQ(options.train.gauss_newton.criterion, Criterion::log);
  EXPECT_EQ(options.train.restarts, 5);
  EXPECT_EQ(options.train.compute.memory, std::size_t{1} << 30);
  EXPECT_EQ(options.train.compute.rank, 12);
  EXPECT_EQ(options.train.compute.precision, Precision::double_);
}

TEST(FitSettings, RefuseWhatHasNoMeaning) {
  EXPECT_THAT(message_of_settings([](FitSettings& s) { s.time_limit = 0; }), HasSubstr("time_limit cannot be 0"));
  EXPECT_THAT(message_of_settings([](FitSettings& s) { s.calibration = 1; }), HasSubstr("calibration cannot be 1"));
  EXPECT_THAT(message_of_settings([](FitSettings& s) { s.calibration = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("calibration cannot be nan"));
  EXPECT_THAT(message_of_settings([](FitSettings& s) { s.compute.threads = 0; }), HasSubstr("threads cannot be 0"));
  EXPECT_THAT(message_of_settings([](FitSettings& s) { s.compute.rank = -1; }), HasSubstr("rank cannot be -1"));
  EXPECT_THAT(message_of_settings([](FitSettings& s) { s.mean = "quadratic"; }), HasSubstr("none of zero, constant"));
  EXPECT_THAT(message_of_settings([](FitSettings& s) {
                s.kernel = "se";
                s.candidates = {"se"};
              }),
              HasSubstr("candidates restrict the choice of a kernel"));
}

}  // namespace
}  // namespace gpcv
