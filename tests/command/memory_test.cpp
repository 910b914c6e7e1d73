/// The memory plan: printed, kept, and refused when it cannot be.
#include <cmath>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Memory = CommandTest;

/// Scattered points of a smooth surface.
std::string scattered(int n) {
  std::ostringstream text;
  text << "a,b,y\n";
  for (int i = 0; i < n; ++i) {
    const double a = std::fmod(i * 0.61803398875, 1.0) * 10, b = std::fmod(i * 0.75487766625, 1.0) * 10;
    text << a << ',' << b << ',' << std::sin(a) + std::cos(b) + 0.1 * std::sin(1000.0 * i) << '\n';
  }
  return text.str();
}

const Arguments held{"--kernel", "se(l=0.3:fixed, s2=1:fixed)", "--noise", "0.02:fixed"};

Arguments joined(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST_F(Memory, OfTwentyThousandRowsStaysWithinThePlan) {
  write("large.csv", scattered(20'000));
  const Json json = succeed_json(joined({"fit", path("large.csv"), "--target", "y", "--solver", "cg", "--precision",
                                         "mixed", "--memory", "1G", "--json", "-o", path("large.h5")},
                                        held));
  EXPECT_EQ(json.at("solver"), "cg");
  EXPECT_EQ(json.at("precision"), "mixed");
  const double planned = json.at("planned_bytes"), peak = json.at("peak_rss_bytes");
  EXPECT_LE(planned, 1024.0 * 1024 * 1024);
  EXPECT_LE(peak, 1.15 * planned + 64.0 * 1024 * 1024);
  // The stored matrix alone would be 3 GiB.
  EXPECT_LT(peak, 400.0 * 1024 * 1024);
}

/// Free parameters and three starts, each with an inverse or a preconditioner of its own.
TEST_F(Memory, OfSeveralStartsStaysWithinThePlan) {
  write("dense.csv", scattered(2500));
  write("sparse.csv", scattered(8000));
  struct Case {
    const char *file, *solver, *memory, *starts;
  };
  const char* rough = "matern32(ard, l=1)";  // a low rank leaves something to the neighbours
  for (const Case& c :
       {Case{"dense.csv", "cholesky", "1G", "3 starts side by side"},
        Case{"dense.csv", "cholesky", "150M", "3 starts one after the other"},
        Case{"sparse.csv", "cg", "1G", "all folds and sensitivities together"}}) {  // at the end one start
    SCOPED_TRACE(std::string(c.solver) + " with " + c.memory);
    std::filesystem::remove(path("checkpoint"));
    const Finished fit =
        gpcv({"fit",    path(c.file),       "--target", "y",        "--kernel",   rough,          "--start",
              "values", "--solver",         c.solver,   "--memory", c.memory,     "--rank",       "500",
              "--json", "--max-iterations", "1",        "-o",       path("m.h5"), "--checkpoint", path("checkpoint")});
    ASSERT_EQ(fit.exit_code, 1) << "one step does not converge; " << fit.err;
    const Json json = Json::parse(fit.out);
    EXPECT_THAT(json.at("training_plan").get<std::string>(), HasSubstr(c.starts));
    const double planned = json.at("planned_bytes"), peak = json.at("peak_rss_bytes");
    RecordProperty(std::string(c.solver) + c.memory, fmt::format("{} of {}", peak, planned));
    EXPECT_LE(peak, 1.15 * planned + 64.0 * 1024 * 1024);
    EXPECT_GE(peak, 0.4 * planned) << "the plan counts much that is never held";
  }
}

TEST_F(Memory, PlanIsPrintedBeforeTheWork) {
  write("small.csv", scattered(300));
  const std::string out =
      succeed(joined({"fit", path("small.csv"), "--target", "y", "--solver", "cg", "--verbose"}, held));
  for (const char* part :
       {"memory", "inputs and target", "columns at a time", "preconditioner of rank", "never stored"}) {
    EXPECT_THAT(out, HasSubstr(part));
  }
  EXPECT_LT(out.find("memory"), out.find("status"));
}

TEST_F(Memory, PlanOfATrainingThatFindsItsStartsSaysThatItIsNotSettled) {
  write("small.csv", scattered(100));
  const Arguments fit{"fit", path("small.csv"), "--target", "y", "--verbose"};
  EXPECT_THAT(succeed(fit), HasSubstr("; settled once the starts are found\n"));
  for (const Arguments& known : {Arguments{"--start", "values"}, held}) {
    EXPECT_THAT(succeed(joined(fit, known)), Not(HasSubstr("settled once")));
  }
}

TEST_F(Memory, BudgetThatCannotBeMetIsRefusedWithTheSmallestThatCan) {
  write("medium.csv", scattered(3000));
  refuse({"fit", path("medium.csv"), "--target", "y", "--trainer", "likelihood", "--memory", "10M"},
         {"3000 rows", "72M", "10 MiB"});
  refuse({"fit", path("medium.csv"), "--target", "y", "--memory", "lots"}, {"lots", "2G"});
}

TEST_F(Memory, SolversAgreeOnPredictions) {
  write("data.csv", scattered(500));
  const Arguments fit = joined({"fit", path("data.csv"), "--target", "y", "--quiet", "-o", path("m.h5")}, held);
  auto predictions = [&](const std::string& solver, const std::string& variance) {
    succeed(joined(fit, {"--solver", solver}));
    return succeed_table({"predict", path("m.h5"), path("data.csv"), "--solver", solver, "--variance", variance});
  };
  const NumberTable dense = predictions("cholesky", "exact"), iterative = predictions("cg", "exact"),
                    near = predictions("cg", "neighbours:100");
  for (std::size_t i = 0; i < dense.rows; ++i) {
    EXPECT_NEAR(iterative["mean"][i], dense["mean"][i], 1e-5);
    EXPECT_NEAR(iterative["std"][i], dense["std"][i], 1e-5);
    EXPECT_GE(near["std"][i], dense["std"][i] * (1 - 1e-7));
    EXPECT_LE(near["std"][i], dense["std"][i] * 1.1);
  }
}

}  // namespace
}  // namespace gpcv
