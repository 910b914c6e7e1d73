/// Units: what is typed, what is printed and what is predicted are in the user's own.
#include <cmath>
#include <numbers>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

using Units = CommandTest;

TEST_F(Units, OfTheTargetScaleEveryOutputInThem) {
  write("metres.csv", wave(60));
  write("millimetres.csv", wave(60, 1000));
  const Json metres = succeed_json({"fit", path("metres.csv"), "--target", "y", "--json", "-o", path("m.h5")});
  const Json millimetres =
      succeed_json({"fit", path("millimetres.csv"), "--target", "y", "--json", "-o", path("mm.h5")});
  // Standardised quantities agree, those in the target's units differ by the factor.
  EXPECT_NEAR(millimetres.at("objective"), metres.at("objective"), 1e-6);
  EXPECT_NEAR(millimetres.at("noise"), metres.at("noise"), 1e-4 * metres.at("noise").get<double>());
  for (const char* key : {"noise_std", "cv_rmse", "y_mean", "y_scale"}) {
    const double expected = 1000 * metres.at(key).get<double>();
    EXPECT_NEAR(millimetres.at(key), expected, 1e-4 * expected) << key;
  }
  const NumberTable small = succeed_table({"predict", path("m.h5"), path("metres.csv")});
  const NumberTable large = succeed_table({"predict", path("mm.h5"), path("metres.csv")});
  for (const char* column : {"mean", "std", "lower", "upper"}) {
    for (std::size_t i = 0; i < small.rows; ++i) EXPECT_NEAR(large[column][i], 1000 * small[column][i], 0.5) << column;
  }
}

TEST_F(Units, OfASingleInputAreThoseOfATypedPeriod) {
  constexpr double period = 3.2;
  std::ostringstream text;
  text << "t,y\n";
  for (int i = 0; i < 120; ++i) {
    const double t = 2000 + 0.25 * i;
    text << t << ',' << std::sin(2 * std::numbers::pi * t / period) + 0.1 * std::sin(12.9898 * i * i) << '\n';
  }
  write("data.csv", text.str());
  const Json found = succeed_json({"fit", path("data.csv"), "--target", "y", "--kernel", "periodic(p=3.1)", "--json"});
  EXPECT_NEAR(found.at("parameters").at("periodic.p"), period, 0.01 * period);
  EXPECT_EQ(found.at("x_scale")[0], 1.0);
  EXPECT_NEAR(found.at("x_mean")[0], 2000 + 0.25 * 119 / 2, 1e-9);
}

TEST_F(Units, AreLeftAloneWithoutStandardisation) {
  write("data.csv", surface(50));
  const Json json = succeed_json({"fit", path("data.csv"), "--target", "y", "--no-standardize", "--json"});
  EXPECT_THAT(json.at("x_mean"), ElementsAre(0.0, 0.0, 0.0));
  EXPECT_THAT(json.at("x_scale"), Each(1.0));
  EXPECT_EQ(json.at("y_mean"), 0.0);
  EXPECT_EQ(json.at("y_scale"), 1.0);
  EXPECT_NEAR(json.at("noise_std"), calibrated_noise(json), 1e-12);
}

TEST_F(Units, OfIsoDatesAreYears) {
  std::string text = "when,y\n";
  for (int year = 2001; year < 2011; ++year) {
    for (const char* month : {"01", "04", "07", "10"}) {
      text += std::to_string(year) + "-" + month + "-01," +
              (month[1] == '1'   ? "1"
               : month[1] == '7' ? "-1"
                                 : "0") +
              (year % 2 ? ".1" : ".2") + "\n";
    }
  }
  write("data.csv", text);
  const Json json = succeed_json(
      {"fit", path("data.csv"), "--target", "y", "--kernel", "periodic(p=1:fixed)", "--json", "-o", path("model.h5")});
  EXPECT_NEAR(json.at("x_mean")[0], 2005.87, 0.05);
  // A date and its decimal year are the same input.
  write("dates.csv", "when\n2005-01-01\n2011-01-01\n");
  write("years.csv", "when\n2005\n2011\n");
  EXPECT_EQ(succeed({"predict", path("model.h5"), path("dates.csv")}),
            succeed({"predict", path("model.h5"), path("years.csv")}));
}

}  // namespace
}  // namespace gpcv
