/// Pictures of models as SVG.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/report.hpp"
#include "report/svg/axis.hpp"
#include "report/svg/svg_text.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string hostile = "<b> & \"q\" ]]> \x01 \xff";

/// y = sin(x₀/2) + x₁ + …, on a table of 40 rows; the last input is a category of three levels when asked.
Model trained(Index inputs, bool category) {
  Dataset data{Matrix(40, inputs + (category ? 3 : 0)), Vector(40), {}};
  for (Index i = 0; i < 40; ++i) {
    for (Index c = 0; c < inputs; ++c) data.x(i, c) = static_cast<double>((i * (7 + 4 * c)) % 40);
    if (category) data.x.row(i).tail(3) = Vector::Unit(3, i % 3).transpose();
    data.y(i) = std::sin(0.5 * data.x(i, 0)) + (inputs > 1 ? 0.05 * data.x(i, 1) : 0) + (category ? 0.3 * (i % 3) : 0);
  }
  Columns& columns = data.columns;
  columns.target = hostile;
  for (Index c = 0; c < data.x.cols(); ++c) {
    const bool level = c >= inputs;
    columns.features.push_back(level ? fmt::format("kind={}{}", hostile, c) : hostile + std::to_string(c));
    columns.feature_indices.push_back(level ? inputs : c);
    if (category) columns.levels.push_back(level ? hostile + std::to_string(c) : "");
  }
  FitOptions options;
  options.train.restarts = 1;
  return fit(data, options).model;
}

/// Expects well-formed XML: every element is closed, no markup of the user's, no coordinate that is not a number.
void expect_sound(const std::string& svg) {
  EXPECT_THAT(svg, ::testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, ::testing::EndsWith("</svg>\n"));
  for (const char* wrong : {"<b>", "\"q\" ]", "\x01", "\xff", "nan", "inf\"", "inf "})
    EXPECT_THAT(svg, Not(HasSubstr(wrong)));
  EXPECT_FALSE(std::regex_search(svg, std::regex("&(?!amp;|lt;|gt;|quot;)")));
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z]+)[^<>]*?(/?)>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), tag), end; at != end; ++at) {
    if ((*at)[3].length() > 0) continue;
    if ((*at)[1].length() == 0) {
      open.push_back((*at)[2]);
      continue;
    }
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(open.back(), (*at)[2]);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

TEST(Picture, DrawsTheFitOfOneInput) {
  const Model model = trained(1, false);
  const Diagnostics seen = diagnostics_of(model, {});
  EXPECT_THAT(plots_of(seen), ElementsAre(Plot::fit, Plot::observed, Plot::calibration));
  const std::string svg = svg_picture(model, seen, plots_of(seen));
  expect_sound(svg);
  EXPECT_THAT(svg, HasSubstr("training rows"));
  EXPECT_THAT(svg, HasSubstr("&lt;b&gt; &amp; &quot;q&quot; ]]&gt; \xEF\xBF\xBD \xEF\xBF\xBD"));
  EXPECT_THROW(svg_picture(model, seen, {Plot::effects}), InputError);
  EXPECT_THROW(svg_picture(model, seen, {}), InputError);
  EXPECT_THROW(svg_picture(model, seen, {Plot::fit}, 100), InputError);
}

TEST(Picture, DrawsTheEffectsOfSeveralInputsAndCategories) {
  const Model model = trained(2, true);
  const Diagnostics seen = diagnostics_of(model, {});
  ASSERT_EQ(seen.inputs.size(), 3u);
  EXPECT_EQ(seen.inputs[2].levels.size(), 3u);
  EXPECT_THAT(plots_of(seen), ElementsAre(Plot::observed, Plot::calibration, Plot::effects));
  for (const int width : {320, 960, 3000}) expect_sound(svg_picture(model, seen, plots_of(seen), width));
  EXPECT_THROW(svg_picture(model, seen, {Plot::fit}), InputError);
}

TEST(Picture, LeavesOutWhatIsNotKnown) {
  Model model = trained(1, false);
  model.provenance.held_out.variance.setConstant(std::nan(""));
  Diagnostics seen = diagnostics_of(model, {});
  EXPECT_THAT(plots_of(seen), ElementsAre(Plot::fit, Plot::observed));
  EXPECT_THROW(svg_picture(model, seen, {Plot::calibration}), InputError);
  seen.effects[0].function.variance(3) = seen.effects[0].rows.variance(5) = std::nan("");
  seen.effects[0].function.mean(7) = std::nan("");
  expect_sound(svg_picture(model, seen, plots_of(seen)));
}

TEST(Picture, AxesHaveRoundTicks) {
  const auto texts = [](double low, double high) {
    std::vector<std::string> out;
    const Axis axis(Range{low, high}, 0, 300, 60);
    for (const Axis::Tick& t : axis.ticks()) out.push_back(t.text);
    return out;
  };
  EXPECT_THAT(texts(0, 100), ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_THAT(texts(-0.5, 0.5), ElementsAre("−0.4", "−0.2", "0", "0.2", "0.4"));
  EXPECT_THAT(texts(0, 3e-5), ElementsAre("0", "1e−05", "2e−05", "3e−05"));
  EXPECT_THAT(texts(1e9, 1e9 + 2), ::testing::SizeIs(::testing::Gt(2u)));
  Range none, one;
  one.add(5);
  none.add(std::nan(""));
  for (const Range& range : {none.widened(0), one.widened(0)}) EXPECT_LT(range.low, range.high);
  Range vast;
  vast.add(Vector{{-1.7e308, 1.7e308}});
  EXPECT_TRUE(std::isfinite(Axis(vast.widened(0.1), 0, 100, 50)(1e308)));
}

TEST(Picture, ShortensTextByCharacters) {
  EXPECT_EQ(shortened("Höhe über Meer", 6), "Höhe …");
  EXPECT_EQ(shortened("kurz", 4), "kurz");
  EXPECT_EQ(svg_text("\xC0\xAF\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Picture, OfTheDemonstrationIsSound) {
  const Vector x = Vector::LinSpaced(20, 0, 1);
  const std::string svg = to_svg({.title = hostile,
                                  .x_label = hostile,
                                  .y_label = hostile,
                                  .train_x = x,
                                  .train_y = x,
                                  .test_x = x,
                                  .test_y = x,
                                  .x = x,
                                  .mean = x,
                                  .lower = x,
                                  .upper = x});
  expect_sound(svg);
  EXPECT_THAT(svg, HasSubstr("held-out rows"));
}

}  // namespace
}  // namespace gpcv
