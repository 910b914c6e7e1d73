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

/// Number in four bytes of a PNG, the first one largest.
std::size_t number_at(const std::string& png, std::size_t place) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = 256 * value + static_cast<unsigned char>(png.at(place + i));
  return value;
}

TEST_F(PlotCommand, WritesPngOfTheSameSize) {
  train(wave(60));
  const std::string svg = plot({"--width", "700"});
  EXPECT_EQ(plot({"-o", path("model.png"), "--width", "700"}), "");
  const std::string png = read("model.png");
  EXPECT_THAT(png, ::testing::StartsWith("\x89PNG\r\n"));
  EXPECT_EQ(number_at(png, 16), 700u);
  EXPECT_THAT(svg, HasSubstr("height=\"" + std::to_string(number_at(png, 20)) + "\""));
  EXPECT_GT(png.size(), 10'000u) << "the picture is not empty";
  plot({"-o", path("again.PNG"), "--width", "700"});
  EXPECT_EQ(read("again.PNG"), png);
}

TEST_F(PlotCommand, SaysWhatPngNeeds) {
  train(wave(30));
  write("librsvg-2.so.2", "no library");
  const Arguments without{"/usr/bin/env",   "LD_LIBRARY_PATH=" + path(""), GPCV_COMMAND, "plot", path("model.h5"), "-o",
                          path("model.png")};
  const Finished result = Process(without, {}).finish(60);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, ::testing::AllOf(HasSubstr("librsvg2-2"), HasSubstr("write SVG"), ::testing::EndsWith("\n")));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  EXPECT_EQ(files(), (std::set<std::string>{"data.csv", "librsvg-2.so.2", "model.h5"}));
}

/// Where the address space does not suffice to draw, librsvg would end the program by a signal.
TEST_F(PlotCommand, PngWithoutMemoryEndsInOneLine) {
  write("a.csv", wave(30));
  succeed({"fit", path("a.csv"), "--target", "y", "--quiet", "-o", path("m.h5")});
  for (const int limit : {420'000, 440'000, 460'000}) {
    const Finished result =
        Process({"/bin/bash", "-c", fmt::format("ulimit -v {}; exec timeout -s KILL 60 \"$@\"", limit), "bash",
                 GPCV_COMMAND, "plot", path("m.h5"), "-o", path("m.png"), "--threads", "1"})
            .finish(90);
    EXPECT_EQ(result.signal, 0) << limit;
    EXPECT_THAT(result.exit_code, ::testing::AnyOf(0, 2, 3)) << limit << result.err;
    EXPECT_THAT(result.err, ::testing::MatchesRegex("(gpcv: [^\n]*\n)?")) << limit;
  }
}

TEST_F(PlotCommand, RefusesOtherFormatsAndPlaces) {
  train(wave(30));
  refuse({"plot", path("model.h5"), "-o", path("model.pdf")}, {"model.pdf", "SVG or PNG", ".svg or .png"});
  refuse({"plot", path("model.h5"), "-o", path("model.h5")}, {"model.h5"});
  refuse({"plot", path("model.h5"), "-o", path("no/such/folder.svg")}, {"folder"});
  refuse({"plot", path("data.csv"), "-o", path("model.svg")}, {"data.csv"});
  refuse({"plot", path("model.h5"), "--what", "everything"}, {"--what", "everything"});
  refuse({"plot", path("model.h5"), "--width", "5"}, {"--width"});
  EXPECT_EQ(files(), (std::set<std::string>{"data.csv", "model.h5"}));
}

}  // namespace
}  // namespace gpcv
