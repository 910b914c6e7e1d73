/// What a user meets in the first week: mistyped words, help, completion, a description of a model, and refusals that
/// leave files as they were.
#include "command.hpp"

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
                      "COMP_WORDS=(gpcv ev) COMP_CWORD=1\n_gpcv\necho \"${COMPREPLY[@]}\"\n");
  const Finished bash = Process({"/bin/bash", path("try.sh")}).finish(60);
  EXPECT_EQ(bash.out, "--conformal\nevaluate\n") << bash.err;
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
  EXPECT_THAT(result.err, HasSubstr("2 rows lie far outside the training rows, the first one in 'x'"));
}

/// OpenBLAS tries for ever when the system refuses its buffers.
TEST_F(Manners, TooLittleAddressSpaceEndsAtOnceWithTheAmount) {
  write("a.csv", surface(60));
  const Finished result =
      Process({"/bin/bash", "-c", "ulimit -v 250000; exec timeout -s KILL 60 \"$@\"", "bash", GPCV_COMMAND, "fit",
               path("a.csv"), "--target", "y", "--kernel", "se", "--threads", "2"})
          .finish(90);
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("256 MiB of address space"));
  EXPECT_THAT(result.err, Not(HasSubstr("internal error")));
}

}  // namespace
}  // namespace gpcv
