/// The command explains itself.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

using Help = CommandTest;

TEST_F(Help, ListsTheSubcommandsAndExitCodes) {
  const std::string text = succeed({"--help"});
  for (const char* word : {"check", "fit", "predict", "evaluate", "generate", "info", "demo", "report", "plot",
                           "Exit codes", "--version"}) {
    EXPECT_THAT(text, HasSubstr(word));
  }
  EXPECT_EQ(succeed({"-h"}), text);
}

TEST_F(Help, ExplainsEveryOptionOfTheContract) {
  const std::map<std::string, std::vector<std::string>> options{
      {"fit",
       {"DATA",
        "--target",
        "--features",
        "--kernel",
        "--noise",
        "--trainer",
        "--restarts",
        "--seed",
        "--threads",
        "--solver",
        "--precision",
        "--backend",
        "--no-standardize",
        "-o,",
        "--trace",
        "--report",
        "--json",
        "--quiet",
        "--header",
        "--missing",
        "--folds",
        "--holdout",
        "se(ard)",
        ":fixed",
        "Example",
        "--time",
        "--groups",
        "--blocks",
        "--fold-column",
        "--categorical",
        "--noise-column",
        "--weight-column",
        "--mean",
        "--calibration",
        "everything before it",
        "dates count in years"}},
      {"check",
       {"DATA", "--target", "--features", "--header", "--missing", "--kernel", "--trainer", "--folds", "--memory",
        "--json", "Exit codes", "Example"}},
      {"predict",
       {"MODEL", "DATA", "-o,", "--interval", "0.95", "--latent", "--mean-only", "--conformal", "--components",
        "mean,std,lower,upper", "Example"}},
      {"evaluate", {"MODEL", "DATA", "--json", "rmse", "smse", "nlpd", "crps", "coverage"}},
      {"generate", {"--kernel", "--noise", "--n", "--range", "--dims", "--seed", "-o,", "Example"}},
      {"report", {"MODEL", "-o,", "--data", "Example"}},
      {"plot",
       {"MODEL", "-o,", "--what", "--width", "calibration", "SVG, which scales without loss, and PNG", "Example"}},
      {"cv", {"DATA", "--target", "--groups", "--interval", "row,fold,target,mean,std,lower,upper", "Example"}},
      {"compare", {"DATA", "--kernels", "standard error", "Example"}},
      {"demo", {"--folder"}},
      {"info", {"Print version"}},
  };
  for (const auto& [subcommand, words] : options) {
    const std::string text = succeed({subcommand, "--help"});
    for (const std::string& word : words) EXPECT_THAT(text, HasSubstr(word)) << subcommand;
  }
}

TEST_F(Help, TellsVersionAndBuild) {
  const std::string version = succeed({"--version"});
  EXPECT_THAT(version, ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
  const std::string info = succeed({"info"});
  EXPECT_THAT(info, HasSubstr(version.substr(0, version.size() - 1)));
  for (const char* word : {"instruction set", "backends", "reference", "trainers", "likelihood", "threads", "libraries",
                           "OpenBLAS", "HDF5", "NLopt"}) {
    EXPECT_THAT(info, HasSubstr(word));
  }
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Help, OpenBlasIsToldOfAProcessorItDoesNotKnow) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "there is nothing to tell";
  setenv("LD_PRELOAD", GPCV_UNKNOWN_PROCESSOR, 1);
  EXPECT_THAT(succeed({"info"}), ::testing::ContainsRegex("OpenBLAS [^,]*(SkylakeX|Haswell)"));
  // The user's word counts.
  setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
  EXPECT_THAT(succeed({"info"}), ::testing::ContainsRegex("OpenBLAS [^,]*Nehalem"));
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("LD_PRELOAD");
}
#endif

TEST_F(Help, PutsNothingOnStandardErrorAndErrorsNothingOnStandardOutput) {
  const Finished help = gpcv({"fit", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  const Finished error = gpcv({"fit", "--hepl"});
  EXPECT_EQ(error.exit_code, 2);
  EXPECT_EQ(error.out, "");
}

}  // namespace
}  // namespace gpcv
