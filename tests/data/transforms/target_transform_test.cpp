#include "gpcv/target_transform.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/message_of.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Case {
  const char* text;
  std::vector<double> inside, outside;
};

const std::vector<Case> cases{
    {"none", {-3, 0, 1e9}, {}},
    {"log", {1e-300, 0.5, 1, 7e5}, {0, -1}},
    {"log:2.5", {-2.4999, -1, 0, 1e4}, {-2.5, -3}},
    {"logit", {1e-9, 0.3, 0.5, 1 - 1e-9}, {0, 1, -1, 2}},
    {"logit:-10:100", {-9.99, 0, 45, 99.999}, {-10, 100}},
    {"sqrt", {0, 1e-8, 2, 1e6}, {-1e-9}},
    {"yeo-johnson:0", {-5, -0.1, 0, 0.1, 1e6}, {}},
    {"yeo-johnson:0.35", {-5, -0.1, 0, 0.1, 1e6}, {}},
    {"yeo-johnson:1", {-5, 0, 3}, {}},
    {"yeo-johnson:1.7", {-1e4, -0.1, 0, 2, 9}, {}},
    {"yeo-johnson:2", {-1e4, -0.1, 0, 2, 9}, {}},
    {"yeo-johnson:0.2:100:15", {0, 90, 100, 130, 1000}, {}},
};

TEST(TargetTransform, IsABijectionOfItsDomain) {
  for (const Case& c : cases) {
    const TargetTransform transform = TargetTransform::parse(c.text);
    double before = -infinity;
    for (const double y : c.inside) {
      const double t = transform.forward(y);
      EXPECT_TRUE(transform.contains(y)) << c.text << " " << y;
      EXPECT_GT(t, before) << c.text << " " << y;
      EXPECT_NEAR(transform.inverse(t), y, 1e-12 * std::max(1.0, std::abs(y))) << c.text;
      before = t;
    }
    for (const double y : c.outside) EXPECT_FALSE(transform.contains(y)) << c.text << " " << y;
  }
}

TEST(TargetTransform, DerivativesAreThoseOfFiniteDifferences) {
  for (const Case& c : cases) {
    const TargetTransform transform = TargetTransform::parse(c.text);
    for (const double y : c.inside) {
      const double step = 1e-6 * std::max(1e-3, std::abs(y));
      if (!transform.contains(y - 1e3 * step) || !transform.contains(y + 1e3 * step)) continue;
      const double slope = (transform.forward(y + step) - transform.forward(y - step)) / (2 * step);
      EXPECT_NEAR(transform.derivative(y) / slope, 1, 1e-5) << c.text << " " << y;
    }
  }
}

TEST(TargetTransform, InversesStayWithinBoundsAndFinite) {
  for (const Case& c : cases) {
    const TargetTransform transform = TargetTransform::parse(c.text);
    if (transform.is_none()) continue;
    for (const double t : {-1e9, -800.0, -40.0, 0.0, 40.0, 800.0, 1e9}) {
      const double y = transform.inverse(t);
      EXPECT_LE(std::abs(y), 1e150) << c.text << " " << t;
      if (transform.kind == TargetTransform::Kind::logit) {
        EXPECT_GE(y, transform.lower);
        EXPECT_LE(y, transform.upper);
      }
      if (transform.kind == TargetTransform::Kind::log) {
        EXPECT_GE(y, -transform.offset);
      }
      if (transform.kind == TargetTransform::Kind::sqrt) {
        EXPECT_GE(y, 0);
      }
    }
  }
}

/// A row without a prediction has no bounds either.
TEST(TargetTransform, WhatIsMissingStaysMissing) {
  for (const Case& c : cases) {
    EXPECT_TRUE(std::isnan(TargetTransform::parse(c.text).inverse(std::nan("")))) << c.text;
  }
}

TEST(TargetTransform, KnownValues) {
  EXPECT_DOUBLE_EQ(TargetTransform::parse("log:1").forward(std::exp(2) - 1), 2);
  EXPECT_DOUBLE_EQ(TargetTransform::parse("logit:0:100").forward(75), std::log(3));
  EXPECT_DOUBLE_EQ(TargetTransform::parse("yeo-johnson:0.5").forward(3), 2) << "((3 + 1)^½ − 1)/½";
  EXPECT_DOUBLE_EQ(TargetTransform::parse("yeo-johnson:0.5").forward(-3), -(std::pow(4, 1.5) - 1) / 1.5);
  EXPECT_EQ(TargetTransform::parse("log").forward(-1), -infinity);
  EXPECT_EQ(TargetTransform::parse("logit").forward(3), infinity);
}

TEST(TargetTransform, TextsGiveTheTransformBack) {
  for (const Case& c : cases) {
    const TargetTransform transform = TargetTransform::parse(c.text);
    EXPECT_EQ(transform.to_string(), c.text);
    EXPECT_EQ(TargetTransform::parse(transform.to_string()), transform);
  }
  EXPECT_EQ(TransformOptions::parse("auto").to_string(), "auto");
  EXPECT_EQ(TransformOptions::parse("yeo-johnson").to_string(), "yeo-johnson");
  EXPECT_TRUE(TransformOptions::parse("yeo-johnson").trained);
  EXPECT_TRUE(TransformOptions::parse("yeo-johnson:0.5").placed);
  EXPECT_FALSE(TransformOptions::parse("yeo-johnson:0.5").trained);
  EXPECT_FALSE(TransformOptions::parse("yeo-johnson:0.5:1:2").depends_on_data());
  EXPECT_TRUE(TransformOptions::parse("none").is_none());
  EXPECT_FALSE(TransformOptions::parse("auto").is_none());
}

TEST(TargetTransform, NamesItsUnits) {
  EXPECT_EQ(TargetTransform::parse("log").label("price"), "log(price)");
  EXPECT_EQ(TargetTransform::parse("log:1").label("price"), "log(price + 1)");
  EXPECT_EQ(TargetTransform::parse("log:-2").label("price"), "log(price - 2)");
  EXPECT_EQ(TargetTransform::parse("logit:0:100").label("share"), "logit(share from 0 to 100)");
  EXPECT_EQ(TargetTransform::parse("none").label("price"), "price");
}

TEST(TargetTransform, RefusesOtherTexts) {
  const auto refusal = [](const char* text) { return message_of([&] { TransformOptions::parse(text); }); };
  EXPECT_THAT(refusal("box-cox"), HasSubstr("there is no 'box-cox'"));
  EXPECT_THAT(refusal("log:one"), HasSubstr("'one' is not a number"));
  EXPECT_THAT(refusal("log:1:2"), HasSubstr("does not take 2 numbers"));
  EXPECT_THAT(refusal("log:"), HasSubstr("'' is not a number"));
  EXPECT_THAT(refusal("logit:5"), HasSubstr("does not take 1 number"));
  EXPECT_THAT(refusal("logit:5:5"), HasSubstr("below"));
  EXPECT_THAT(refusal("sqrt:2"), HasSubstr("does not take"));
  EXPECT_THAT(refusal("yeo-johnson:3"), HasSubstr("between 0 and 2"));
  EXPECT_THAT(refusal("yeo-johnson:1:0:0"), HasSubstr("positive"));
  EXPECT_THAT(refusal("log:inf"), HasSubstr("not a number"));
  EXPECT_THAT(refusal(""), HasSubstr("auto"));
}

}  // namespace
}  // namespace gpcv
