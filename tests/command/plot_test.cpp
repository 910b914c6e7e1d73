/// plot: a picture of a model's file, never in place of an input.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PlotCommand : public CommandTest {
 protected:
  void train(const std::string& table, const Arguments& more = {}) const {
    write("data.csv", table);
    Arguments all{"fit", path("data.csv"), "--target", "y", "--quiet", "--restarts", "1", "-o", path("model.h5")};
    all.insert(all.end(), more.begin(), more.end());
    succeed(all);
  }
  std::string plot(const Arguments& more = {}) const {
    Arguments all{"plot", path("model.h5"), "--threads", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return succeed(all);
  }
};

TEST_F(PlotCommand, DrawsAllThatAppliesToOneInput) {
  train(wave(60));
  EXPECT_EQ(plot({"-o", path("model.svg")}), "");
  const std::string svg = read("model.svg");
  EXPECT_EQ(svg, plot()) << "standard output gets the same picture";
  for (const char* part :
       {"y over x", "Held-out rows", "Calibration of intervals", "Charts: fit, observed, calibration."}) {
    EXPECT_THAT(svg, HasSubstr(part));
  }
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, HasSubstr("width=\"960\""));
}

TEST_F(PlotCommand, DrawsWhatIsAskedFor) {
  train(wave(60));
  const std::string svg = plot({"--what", "observed,calibration", "--width", "500"});
  EXPECT_THAT(svg, HasSubstr("Charts: observed, calibration."));
  EXPECT_THAT(svg, HasSubstr("width=\"500\""));
  EXPECT_THAT(succeed({"plot", "--what", "fit", path("model.h5")}), HasSubstr("Charts: fit."));
  refuse({"plot", path("model.h5"), "--what", "effects"}, {"one input"});
}

TEST_F(PlotCommand, DrawsEffectsOfNumbersAndCategories) {
  std::istringstream lines(surface(60));
  std::string table, line;
  std::getline(lines, line);
  table = "\"<a> & \"\"b\"\"\",kind," + line.substr(line.find(',') + 1) + "\n";
  for (int i = 0; std::getline(lines, line); ++i) {
    const std::size_t comma = line.find(',');
    table += line.substr(0, comma) + (i % 2 == 0 ? ",<red>" : ",blue") + line.substr(comma) + "\n";
  }
  train(table, {"--categorical", "kind"});
  const std::string svg = plot();
  EXPECT_THAT(svg, HasSubstr("&lt;a&gt; &amp; &quot;b&quot;"));
  EXPECT_THAT(svg, HasSubstr("&lt;red&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<a>")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  refuse({"plot", path("model.h5"), "--what", "fit"}, {"the model has 4", "effects"});
}

TEST_F(PlotCommand, RefusesOtherFormatsAndPlaces) {
  train(wave(30));
  refuse({"plot", path("model.h5"), "-o", path("model.png")}, {"model.png", "SVG only", ".svg"});
  refuse({"plot", path("model.h5"), "-o", path("model.h5")}, {"model.h5"});
  refuse({"plot", path("model.h5"), "-o", path("no/such/folder.svg")}, {"folder"});
  refuse({"plot", path("data.csv"), "-o", path("model.svg")}, {"data.csv"});
  refuse({"plot", path("model.h5"), "--what", "everything"}, {"--what", "everything"});
  refuse({"plot", path("model.h5"), "--width", "5"}, {"--width"});
  EXPECT_EQ(files(), (std::set<std::string>{"data.csv", "model.h5"}));
}

}  // namespace
}  // namespace gpcv
