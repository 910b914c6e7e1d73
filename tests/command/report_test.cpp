/// What a person sees of a fit.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

using FitReport = CommandTest;

TEST_F(FitReport, IsATableWithBannerColumnsAndFooter) {
  write("data.csv", wave(60));
  const std::string text =
      succeed({"fit", path("data.csv"), "--target", "y", "--kernel", "se(l=2)", "--restarts", "2", "--trainer",
               "likelihood", "--threads", "2", "--seed", "5", "--verbose", "-o", path("model.h5")});
  const auto banner = text.find("gpcv "), columns = text.find("objective"), footer = text.find("status ");
  ASSERT_NE(footer, std::string::npos) << text;
  EXPECT_LT(banner, columns);
  EXPECT_LT(columns, footer);

  EXPECT_THAT(text, HasSubstr("likelihood"));
  EXPECT_THAT(text, HasSubstr(path("data.csv") + ": 60 rows"));
  EXPECT_THAT(text, HasSubstr("y from x"));
  EXPECT_THAT(text, HasSubstr("se(l=2)"));
  EXPECT_THAT(text, HasSubstr("2 threads, seed 5"));
  for (const char* column : {"start", "eval", "objective", "gradient", "time"}) EXPECT_THAT(text, HasSubstr(column));
  EXPECT_THAT(text, ContainsRegex("\n +1 \\| +1 \\|"));
  EXPECT_THAT(text, ContainsRegex("\n +2 \\| "));
  EXPECT_THAT(text, ContainsRegex("\nstatus +converged"));
  EXPECT_THAT(text, ContainsRegex("\nobjective +-?[0-9.]+"));
  EXPECT_THAT(text, ContainsRegex("\nkernel +se\\(l="));
  EXPECT_THAT(text, ContainsRegex("\nnoise +[0-9.e-]+.*units of y"));
  EXPECT_THAT(text, ContainsRegex("\ncv rmse +[0-9.]+ \\(in the units of y\\), SMSE [0-9.]+, 5 random folds"));
  EXPECT_THAT(text, ContainsRegex("\ntime +.*read.*train.*peak memory"));
  EXPECT_THAT(text, HasSubstr(path("model.h5")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << "no terminal codes in a pipe";
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    EXPECT_NE(end > begin ? text[end - 1] : 'x', ' ') << "a line ends in a space";
  }
}

TEST_F(FitReport, BeginsWithTheDataAndTheKernel) {
  write("data.csv", surface(60));
  const Arguments fit{"fit", path("data.csv"), "--target", "y", "--restarts", "1"};
  const std::string text = succeed(fit);
  std::size_t last = 0;
  for (const char* part : {"60 rows", "y from a, b, c", "folds    5 random folds", "kernel   se(ard)", "cv mse"}) {
    const std::size_t place = text.find(part);
    ASSERT_NE(place, std::string::npos) << part << '\n' << text;
    EXPECT_GT(place, last) << part;
    last = place;
  }
  const std::string banner = text.substr(0, last);
  for (const char* part : {"memory", "thread", "backend"}) EXPECT_THAT(banner, Not(HasSubstr(part)));
  Arguments more = fit;
  more.emplace_back("--verbose");
  EXPECT_THAT(succeed(more), ContainsRegex("\ncompute  .*1 thread, seed 1\nmemory   "));
}

TEST_F(FitReport, NamesLengthScalesByInputTheMostImportantFirst) {
  write("data.csv", surface(150));
  const std::string text = succeed({"fit", path("data.csv"), "--target", "y", "-o", path("m.h5")});
  // y = sin 2a + b/100: a varies over two of its deviations, b is nearly linear, c is noise.
  const std::size_t a = text.find("length scale of a "), b = text.find("length scale of b ");
  ASSERT_NE(a, std::string::npos) << text;
  ASSERT_NE(b, std::string::npos) << text;
  EXPECT_LT(a, b);
  EXPECT_THAT(text, ContainsRegex("length scale of a +[0-9.]+ \\(a\\) ± [0-9.]+ %"));
  EXPECT_THAT(text, ContainsRegex("amplitude +[0-9.]+ \\(y\\)"));
  const std::string info = succeed({"info", path("m.h5")});
  const std::size_t begin = text.find("\nparameters "), end = text.find("\nnoise ", begin);
  EXPECT_THAT(info, HasSubstr(text.substr(begin, end - begin))) << "the same lines";
}

TEST_F(FitReport, SaysWhenTheModelIsNotKept) {
  write("data.csv", wave(30));
  EXPECT_THAT(succeed({"fit", path("data.csv"), "--target", "y", "--restarts", "1"}), HasSubstr("not written"));
}

TEST_F(FitReport, IsSilentWhenAskedToBe) {
  write("data.csv", wave(30));
  EXPECT_EQ(succeed({"fit", path("data.csv"), "--target", "y", "--quiet", "-o", path("model.h5")}), "");
  EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("data.csv")}).rows, 30u);
}

TEST_F(FitReport, IsShortForAKernelWithEverythingHeld) {
  write("data.csv", wave(30));
  const std::string text = succeed(
      {"fit", path("data.csv"), "--target", "y", "--kernel", "se(l=1:fixed, s2=1:fixed)", "--noise", "0.1:fixed"});
  EXPECT_THAT(text, HasSubstr("0 free parameters, noise held at 0.1"));
  EXPECT_THAT(text, HasSubstr("converged"));
}

TEST_F(FitReport, FailsWhenItCannotBePrinted) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  write("data.csv", wave(30));
  const ProcessOptions full{.terminal = false, .out_file = "/dev/full"};
  for (const Arguments& arguments :
       {Arguments{"fit", path("data.csv"), "--target", "y", "--json", "-o", path("model.h5")},
        {"predict", path("model.h5"), path("data.csv")},
        {"evaluate", path("model.h5"), path("data.csv"), "--json"}}) {
    const Finished result = gpcv(arguments, full);
    EXPECT_NE(result.exit_code, 0) << described(arguments);
    EXPECT_THAT(result.err, ::testing::StartsWith("gpcv: ")) << described(arguments);
  }
}

TEST_F(FitReport, ShowsALiveLineOnATerminalOnly) {
  write("data.csv", wave(300));
  const Arguments arguments{"fit", path("data.csv"), "--target", "y", "--trainer", "likelihood", "--json"};
  const Finished result = gpcv(arguments, {.terminal = true, .out_file = {}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, ContainsRegex("\r.*evaluation [0-9]+, objective [-0-9.e+]+, "));
  EXPECT_THAT(result.err, ::testing::EndsWith("\r\x1b[K")) << "the line is wiped at the end";
  EXPECT_EQ(Json::parse(result.out).at("n"), 300) << "standard output is untouched by it";

  Arguments quiet = arguments;
  quiet.back() = "--quiet";
  EXPECT_EQ(gpcv(quiet, {.terminal = true, .out_file = {}}).err, "");
}

}  // namespace
}  // namespace gpcv
