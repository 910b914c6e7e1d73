/// What a user meets in the first week: mistyped words, help, completion, a description of a model, and refusals that
/// leave files as they were.
#include "command.hpp"
#include "gpcv/machine.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Manners : public CommandTest {
 protected:
  Arguments fit(const std::string& table, const Arguments& options = {}) const {
    Arguments arguments{"fit", path(table), "--target", "y", "--kernel", "se(ard)", "--assess", "inner"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
  /// A table whose target is multiplied by a power of ten.
  static std::string scaled(const std::string& exponent) {
    std::ostringstream text;
    text << "x,y\n";
    for (int i = 0; i < 30; ++i) text << i << ',' << 1 + (i * 7) % 11 << exponent << '\n';
    return text.str();
  }
};

TEST_F(Manners, AMistypedOptionOrCommandIsRecognised) {
  write("a.csv", surface(30));
  const Finished option = gpcv({"fit", path("a.csv"), "--traget", "y"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_EQ(option.err, "gpcv: fit has no option --traget; did you mean --target?\n");
  const Finished strange = gpcv({"fit", path("a.csv"), "--target", "y", "--quux=3"});
  EXPECT_EQ(strange.err, "gpcv: fit has no option --quux; see 'gpcv fit --help'\n");
  const std::vector<std::pair<Arguments, std::string>> others{
      {{"--verison"}, "gpcv has no option --verison; did you mean --version?"},
      {{"fit", path("a.csv"), "-target", "y"}, "fit has no option -target; did you mean --target?"},
      {{"fit", path("a.csv"), "--target", "y", "-q"}, "fit has no option -q; did you mean --quiet?"},
      {{"evaluate", "m.h5", path("a.csv"), "-o", "x"}, "evaluate has no option -o; see 'gpcv evaluate --help'"},
      {{"evaluate", "m.h5", path("a.csv"), "--ouput", "x"},
       "evaluate has no option --ouput; see 'gpcv evaluate --help'"},
      {{"fit", path("a.csv"), "--target", "-1", "-quiet"}, "fit has no option -quiet; did you mean --quiet?"}};
  for (const auto& [arguments, line] : others) {
    const Finished mistyped = gpcv(arguments);
    EXPECT_EQ(mistyped.exit_code, 2);
    EXPECT_EQ(mistyped.err, "gpcv: " + line + "\n");
  }
  const Finished command = gpcv({"pedict", "m.h5"});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.err, HasSubstr("unknown command 'pedict'; did you mean predict?"));
}

TEST_F(Manners, HelpExplainsEachCommand) {
  EXPECT_EQ(succeed({"help", "predict"}), succeed({"predict", "--help"}));
  EXPECT_EQ(succeed({"help"}), succeed({"--help"}));
  const Finished unknown = gpcv({"help", "prediction"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no help on 'prediction'"));
}

TEST_F(Manners, CompletionKnowsCommandsAndOptions) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = succeed({"completion", shell});
    for (const char* word : {"predict", "compare", "conformal", "checkpoint"}) {
      EXPECT_THAT(script, HasSubstr(word)) << shell;
    }
  }
  write("try.sh", succeed({"completion", "bash"}) +
                      "COMP_WORDS=(gpcv predict --conf) COMP_CWORD=2\n_gpcv\necho \"${COMPREPLY[@]}\"\n"
                      "COMP_WORDS=(gpcv ev) COMP_CWORD=1\n_gpcv\necho \"${COMPREPLY[@]}\"\n"
                      "COMP_WORDS=(gpcv fit a.csv --trainer '') COMP_CWORD=4\n_gpcv\necho \"${COMPREPLY[@]}\"\n"
                      "COMP_WORDS=(gpcv fit a.csv --kernel mat) COMP_CWORD=4\n_gpcv\necho \"${COMPREPLY[@]}\"\n"
                      "COMP_WORDS=(gpcv predict m.h5 --criterion) COMP_CWORD=3\n_gpcv\necho \"${COMPREPLY[@]}\"\n"
                      "COMP_WORDS=(gpcv cv --balance-rho '') COMP_CWORD=3\n_gpcv\necho \"${COMPREPLY[@]}\"\n"
                      "COMP_WORDS=(gpcv help ke) COMP_CWORD=2\n_gpcv\necho \"${COMPREPLY[@]}\"\n"
                      "COMP_WORDS=(gpcv help ev) COMP_CWORD=2\n_gpcv\necho \"${COMPREPLY[@]}\"\n");
  const Finished bash = Process({"/bin/bash", path("try.sh")}).finish(60);
  EXPECT_EQ(bash.out,
            "--conformal\nevaluate\ngauss-newton likelihood admm naive consensus\nmatern12 matern32 matern52\n\n"
            "yes no\nkernels\nevaluate\n")
      << bash.err;
}

TEST_F(Manners, InfoDescribesAModel) {
  write("a.csv", surface(60));
  succeed(fit("a.csv", {"-o", path("m.h5"), "--quiet"}));
  const std::string text = succeed({"info", path("m.h5")});
  EXPECT_THAT(text, HasSubstr("y from 60 rows"));
  EXPECT_THAT(text, HasSubstr("length scale of"));
  EXPECT_THAT(text, HasSubstr("gpcv predict " + path("m.h5")));
  EXPECT_THAT(text, HasSubstr("contains the training rows"));
  EXPECT_EQ(gpcv({"info", path("a.csv")}).exit_code, 2);
}

TEST_F(Manners, NumbersWhoseSquaresOverflowAreRefusedBeforeAnythingIsWritten) {
  write("huge.csv", scaled("e300"));
  write("tiny.csv", scaled("e-300"));
  write("m.h5", "an older model");
  for (const char* table : {"huge.csv", "tiny.csv"}) {
    const Finished result = gpcv(fit(table, {"-o", path("m.h5")}));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("power of ten"));
    EXPECT_EQ(read("m.h5"), "an older model");
    EXPECT_THAT(gpcv({"check", path(table), "--target", "y"}).out, HasSubstr("power of ten"));
  }
  write("large.csv", scaled("e130"));
  const NumberTable found = [&] {
    succeed(fit("large.csv", {"-o", path("large.h5"), "--quiet"}));
    return succeed_table({"predict", path("large.h5"), path("large.csv")});
  }();
  for (const double deviation : found["std"]) EXPECT_TRUE(std::isfinite(deviation) && deviation > 0);
}

TEST_F(Manners, RowsFarOutsideTheTrainingRowsAreCounted) {
  write("a.csv", "x,y\n0,1\n1,2\n2,1\n3,2\n4,1.5\n");
  succeed(fit("a.csv", {"-o", path("m.h5"), "--quiet"}));
  write("near.csv", "x\n-1\n5.9\n");
  EXPECT_EQ(gpcv({"predict", path("m.h5"), path("near.csv")}).err, "");
  write("far.csv", "x\n2\n7\n-100\n");
  const Finished result = gpcv({"predict", path("m.h5"), path("far.csv")});
  EXPECT_EQ(result.exit_code, 0);
  const std::string line = "2 rows lie far outside the training rows, the first one in 'x': rows 2, 3, counted from 1";
  EXPECT_THAT(result.err, HasSubstr(line));
  write("known.csv", "x,y\n2,1\n7,1\n-100,2\n");
  for (const Arguments& others :
       {Arguments{"evaluate", path("m.h5"), path("known.csv")},
        Arguments{"report", path("m.h5"), "--data", path("known.csv"), "-o", path("m.html")}}) {
    const Finished warned = gpcv(others);
    EXPECT_EQ(warned.exit_code, 0) << warned.err;
    EXPECT_THAT(warned.err, HasSubstr(line)) << described(others);
  }
  write("known.csv", "x,y\n,1\n2,1\n-100,2\n");  // rows are counted in the table
  EXPECT_THAT(gpcv({"evaluate", path("m.h5"), path("known.csv"), "--missing", "drop"}).err,
              HasSubstr("row 3, counted"));
}

TEST_F(Manners, ATrainingThatDoesNotConvergeSaysWhyEvenQuietly) {
  write("a.csv", surface(60));
  for (const Arguments& options : {Arguments{"-o", path("m.h5")}, Arguments{}}) {
    Arguments arguments = fit("a.csv", {"--quiet", "--max-iterations", "1"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished result = gpcv(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, ::testing::MatchesRegex("gpcv: not converged[^\n]*\n"));
  }
  const Finished cv = gpcv({"cv", path("a.csv"), "--target", "y", "--quiet", "--max-iterations", "1"});
  EXPECT_EQ(cv.exit_code, 1);
  EXPECT_THAT(cv.err, ::testing::MatchesRegex("gpcv: not converged[^\n]*\n"));
}

TEST_F(Manners, ADashIsStandardOutputForTables) {
  write("a.csv", surface(30));
  succeed(fit("a.csv", {"-o", path("m.h5"), "--quiet"}));
  const std::set<std::string> before = files();
  const std::string table = succeed({"predict", path("m.h5"), path("a.csv")});
  for (const char* place : {"-", "/dev/stdout", "/dev/stderr"}) {
    const Finished result = gpcv({"predict", path("m.h5"), path("a.csv"), "-o", place});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(place == std::string("/dev/stderr") ? result.err : result.out, table) << place;
  }
  EXPECT_EQ(parse_table(succeed({"cv", path("a.csv"), "--target", "y", "--quiet", "-o", "-"})).rows, 30u);
  EXPECT_EQ(parse_table(succeed({"generate", "--kernel", "se", "--n", "7", "-o", "-"})).rows, 7u);
  EXPECT_THAT(succeed({"plot", path("m.h5"), "-o", "-"}), HasSubstr("<svg"));
  EXPECT_THAT(succeed({"report", path("m.h5"), "-o", "-"}), HasSubstr("</html>"));
  refuse(fit("a.csv", {"-o", "-"}), {"-o -: fit cannot write this to standard output; name a file"});
  refuse(fit("a.csv", {"--trace", "/dev/stdout"}), {"--trace /dev/stdout"});
  EXPECT_EQ(files(), before);
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(Manners, PredictDoesNotAdviseWhatOnlyFitHas) {
  write("a.csv", surface(30));
  succeed(fit("a.csv", {"-o", path("m.h5"), "--quiet"}));
  write("new.csv", "a,b,c\n1,500,0\n1,high,0\n");
  const Finished result = gpcv({"predict", path("m.h5"), path("new.csv")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("new.csv:3:2: column 'b': 'high' is not a number"));
  EXPECT_THAT(result.err, HasSubstr("correct the cell or remove the row"));
  EXPECT_THAT(result.err, Not(HasSubstr("categorical")));
}

/// OpenBLAS tries for ever when the system refuses its buffers.
TEST_F(Manners, TooLittleAddressSpaceEndsAtOnceWithTheAmount) {
  if (!blas_name().starts_with("OpenBLAS")) GTEST_SKIP() << "the amount is that of OpenBLAS, not of " << blas_name();
  write("a.csv", surface(60));
  const Finished result =
      Process({"/bin/bash", "-c", "ulimit -v 250000; exec timeout -s KILL 60 \"$@\"", "bash", GPCV_COMMAND, "fit",
               path("a.csv"), "--target", "y", "--kernel", "se", "--threads", "2"})
          .finish(90);
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("256 MiB of address space"));
  EXPECT_THAT(result.err, Not(HasSubstr("internal error")));
  // What needs no BLAS ends, too, although a thread of OpenBLAS waits for memory.
  EXPECT_EQ(Process({"/bin/bash", "-c", "ulimit -v 150000; exec timeout -s KILL 60 \"$@\"", "bash", GPCV_COMMAND,
                     "--version"})
                .finish(90)
                .exit_code,
            0);
}

}  // namespace
}  // namespace gpcv
