/// The command explains itself.
#include "command.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/operator.hpp"

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
                           "HDF5", "NLopt"}) {
    EXPECT_THAT(info, HasSubstr(word));
  }
  EXPECT_THAT(info, HasSubstr(blas_name().substr(0, blas_name().find(' '))));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Help, OpenBlasIsToldOfAProcessorItDoesNotKnow) {
  const std::string best = instruction_set();
  if (best != "AVX-512" && best != "AVX2") GTEST_SKIP() << "there is nothing to tell of " << best;
  if (!blas_name().starts_with("OpenBLAS")) GTEST_SKIP() << "nothing is told to " << blas_name();
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

/// Names of the topics, from the list that the help prints.
std::vector<std::string> topics(const std::string& help) {
  const std::size_t begin = help.find("Topics of"), end = help.find("\n\n", begin);
  std::istringstream lines(help.substr(begin, end - begin));
  std::vector<std::string> names;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

TEST_F(Help, ExplainsTopics) {
  const std::vector<std::string> all = topics(succeed({"help"}));
  EXPECT_THAT(all, ::testing::ElementsAre("kernels", "folds", "transforms", "units", "exit-codes", "tables", "dates",
                                          "targets"));
  const std::string script = succeed({"completion", "bash"});
  for (const std::string& topic : all) {
    const std::string text = succeed({"help", topic});
    EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 12) << topic;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 42) << topic;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
    EXPECT_THAT(script, HasSubstr(topic));
    EXPECT_THAT(succeed({"help", "--man", topic}), HasSubstr(".TH GPCV\\-")) << topic;
  }
  refuse({"help", "predic"}, {"there is no help on 'predic'; did you mean predict?"});
  refuse({"help", "kernel"}, {"did you mean kernels?"});
}

/// The families are those of the grammar, which lists them when it finds another word.
TEST_F(Help, ExplainsEveryKernel) {
  const std::string text = succeed({"help", "kernels"});
  const std::string error = gpcv({"generate", "--kernel", "nothing", "-o", path("a.csv")}).err;
  const std::string mark = "expected a kernel: ";
  const std::size_t begin = error.find(mark) + mark.size();
  std::istringstream names(error.substr(begin, error.find('\n', begin) - begin));
  int families = 0;
  for (std::string name; std::getline(names >> std::ws, name, ','); ++families) {
    EXPECT_THAT(text, ::testing::ContainsRegex("\n  " + name + " +(s2|locally)")) << name;
  }
  EXPECT_GE(families, 9);
  for (const char* part : {"rbf = se", "dot_product = linear", "in [0.01,10]", "on=[age,2]", ":fixed", "two-seasons"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST_F(Help, UsageOfSeveralFilesHasDots) {
  EXPECT_THAT(succeed({"fit", "--help"}), HasSubstr("gpcv fit [OPTIONS] DATA...\n"));
}

}  // namespace
}  // namespace gpcv
