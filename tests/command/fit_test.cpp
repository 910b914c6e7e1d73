/// Training from the command line: what is found, what is held, what is written.
#include <cmath>
#include <regex>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using FitCommand = CommandTest;

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  const double centre = mean(values);
  double sum = 0;
  for (double v : values) sum += (v - centre) * (v - centre);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Every value of a kernel's text held.
std::string held(const std::string& kernel) {
  return std::regex_replace(kernel, std::regex(R"(=(\[[^\]]*\]|[-+.0-9e]+)(@\w+)?)"), "=$1$2:fixed");
}

TEST_F(FitCommand, ReportsThePrecisionThatWasUsed) {
  write("data.csv", wave(400));
  const auto precision = [&](const Arguments& options) {
    Arguments arguments{"fit", path("data.csv"), "--target", "y", "--max-iterations", "1", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Json::parse(gpcv(arguments).out).at("precision").get<std::string>();
  };
  EXPECT_EQ(precision({"--solver", "cg", "--noise", "0.1:fixed"}), "mixed");
  EXPECT_EQ(precision({"--solver", "cg", "--noise", "1e-5:fixed", "--rank", "200"}), "double");
  EXPECT_EQ(precision({"--solver", "cg", "--noise", "0.1:fixed", "--precision", "double"}), "double");
  EXPECT_EQ(precision({"--solver", "cholesky", "--noise", "0.1:fixed"}), "double");
}

TEST_F(FitCommand, TellsEverythingOfTheContractInJson) {
  write("data.csv", surface(60));
  const Json json = succeed_json({"fit", path("data.csv"), "--target", "y", "--features", "a,b", "--seed", "4",
                                  "--threads", "1", "--json", "-o", path("model.h5")});
  for (const char* key : {"status",
                          "message",
                          "trainer",
                          "n",
                          "d",
                          "kernel",
                          "parameters",
                          "noise",
                          "signal_variance",
                          "objective",
                          "iterations",
                          "seconds",
                          "peak_rss_bytes",
                          "backend",
                          "precision",
                          "threads",
                          "seed",
                          "x_mean",
                          "x_scale",
                          "y_mean",
                          "y_scale",
                          "noise_std",
                          "cv_rmse",
                          "kernel_passes",
                          "column_passes",
                          "cg_iterations",
                          "pairs_per_second",
                          "standard_errors",
                          "error_scale"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json.at("status"), "converged");
  EXPECT_TRUE(json.at("message").is_string());
  EXPECT_EQ(json.at("trainer"), "gauss-newton");
  EXPECT_EQ(json.at("n"), 60);
  EXPECT_EQ(json.at("d"), 2);
  EXPECT_EQ(json.at("precision"), "double");
  EXPECT_EQ(json.at("threads"), 1);
  EXPECT_EQ(json.at("seed"), 4);
  EXPECT_TRUE(json.at("backend").is_string());
  EXPECT_NE(json.at("backend"), "auto");
  EXPECT_GT(json.at("iterations").get<int>(), 3);
  EXPECT_GT(json.at("peak_rss_bytes").get<double>(), 1e6);
  EXPECT_TRUE(json.at("objective").is_number());

  const Json& parameters = json.at("parameters");
  EXPECT_EQ(parameters.size(), 3u);  // two length scales and a variance
  for (const auto& [name, value] : parameters.items()) EXPECT_GT(value.get<double>(), 0) << name;
  EXPECT_THAT(json.at("kernel").get<std::string>(), ::testing::StartsWith("se(l=["));

  const NumberTable data = read_table("data.csv");
  const double y_scale = json.at("y_scale");
  EXPECT_NEAR(json.at("x_mean")[0], mean(data["a"]), 1e-12);
  EXPECT_NEAR(json.at("x_mean")[1], mean(data["b"]), 1e-9);
  EXPECT_NEAR(json.at("x_scale")[0], deviation(data["a"]), 0.01 * deviation(data["a"]));
  EXPECT_NEAR(json.at("x_scale")[1], deviation(data["b"]), 0.01 * deviation(data["b"]));
  EXPECT_NEAR(json.at("y_mean"), mean(data["y"]), 1e-12);
  EXPECT_NEAR(y_scale, deviation(data["y"]), 0.01 * deviation(data["y"]));
  EXPECT_NEAR(json.at("noise_std"), calibrated_noise(json) * y_scale, 1e-12);
  EXPECT_NEAR(json.at("signal_variance"), parameters.at("se.s2").get<double>(), 1e-9);
  EXPECT_LT(json.at("cv_rmse").get<double>(), 0.3 * y_scale);

  double phases = 0;
  for (const auto& [phase, seconds] : json.at("seconds").items()) {
    EXPECT_GE(seconds.get<double>(), 0) << phase;
    if (phase != "total") phases += seconds.get<double>();
  }
  EXPECT_TRUE(json.at("seconds").contains("train"));
  EXPECT_NEAR(json.at("seconds").at("total"), phases, 1e-9);
}

TEST_F(FitCommand, ReadsItsPrintedKernelBackAndReproducesTheObjective) {
  write("wave.csv", wave(70));
  write("surface.csv", surface(50));
  struct Case {
    const char *data, *kernel;
  };
  for (const auto& [data, kernel] :
       {Case{"surface.csv", "se(ard)"}, Case{"surface.csv", "matern52(l=0.7@a) * rq(l=@a)"},
        Case{"wave.csv", "se(l=1) + lp(l=2, p=6)"}}) {
    SCOPED_TRACE(kernel);
    const Json trained =
        succeed_json({"fit", path(data), "--target", "y", "--kernel", kernel, "--restarts", "1", "--json"});
    const std::string noise = trained.at("noise").dump() + ":fixed";
    const std::string text = trained.at("kernel");
    const Json again =
        succeed_json({"fit", path(data), "--target", "y", "--kernel", held(text), "--noise", noise, "--json"});
    const double objective = trained.at("objective");
    EXPECT_NEAR(again.at("objective"), objective, 1e-9 * std::abs(objective));
    EXPECT_EQ(again.at("parameters"), trained.at("parameters"));
    EXPECT_EQ(again.at("noise"), trained.at("noise"));
    EXPECT_NEAR(again.at("cv_rmse"), trained.at("cv_rmse"), 1e-9);
  }
}

TEST_F(FitCommand, HoldsWhatIsTypedAsHeld) {
  write("data.csv", wave(60));
  const Json json = succeed_json({"fit", path("data.csv"), "--target", "y", "--kernel",
                                  "se(l=0.7:fixed) + lp(l=3.3, p=6.1:fixed, s2=0.25:fixed)", "--noise", "0.013:fixed",
                                  "--restarts", "2", "--json"});
  EXPECT_EQ(json.at("parameters").at("se.l"), 0.7);
  EXPECT_EQ(json.at("parameters").at("lp.p"), 6.1);
  EXPECT_EQ(json.at("parameters").at("lp.s2"), 0.25);
  EXPECT_NE(json.at("parameters").at("lp.l"), 3.3);
  EXPECT_EQ(json.at("noise"), 0.013);
  EXPECT_THAT(json.at("kernel").get<std::string>(), HasSubstr("l=0.7:fixed"));

  const Json free = succeed_json({"fit", path("data.csv"), "--target", "y", "--noise", "0.013", "--json"});
  EXPECT_NE(free.at("noise"), 0.013);
}

TEST_F(FitCommand, StaysInsideTypedBounds) {
  write("data.csv", wave(60));
  const Json json = succeed_json(
      {"fit", path("data.csv"), "--target", "y", "--kernel", "se(l=0.2 in [0.1,0.5])", "--restarts", "3", "--json"});
  EXPECT_GE(json.at("parameters").at("se.l").get<double>(), 0.1 * (1 - 1e-12));
  EXPECT_LE(json.at("parameters").at("se.l").get<double>(), 0.5 * (1 + 1e-12));
}

TEST_F(FitCommand, EndsWithOneAndKeepsAUsableModelWhenItMayNotConverge) {
  write("data.csv", wave(60));
  const Finished result = gpcv({"fit", path("data.csv"), "--target", "y", "--max-iterations", "1", "--start", "values",
                                "--restarts", "1", "--json", "-o", path("model.h5")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "");
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("status"), "max_iterations");
  EXPECT_NE(json.at("message"), "");
  EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("data.csv")}).rows, 60u);
}

TEST_F(FitCommand, RepeatsItselfForTheSameSeedAndThreads) {
  write("data.csv", surface(40));
  for (const char* threads : {"1", "2"}) {
    std::vector<Json> reports;
    std::vector<std::string> predictions;
    for (const std::string model : {"first.h5", "second.h5"}) {
      reports.push_back(
          without_measurements(succeed_json({"fit", path("data.csv"), "--target", "y", "--restarts", "2", "--seed", "9",
                                             "--threads", threads, "--json", "-o", path(model)})));
      predictions.push_back(succeed({"predict", path(model), path("data.csv"), "--threads", threads}));
    }
    EXPECT_EQ(reports[0].dump(), reports[1].dump()) << threads << " threads";
    EXPECT_EQ(predictions[0], predictions[1]) << threads << " threads";
  }
}

TEST_F(FitCommand, EqualFitsWriteEqualBytes) {
  write("data.csv", surface(40));
  for (const char* trainer : {"gauss-newton", "likelihood"}) {
    const Arguments arguments{"fit", path("data.csv"), "--target", "y", "--trainer", trainer, "--threads", "1",
                              "-o",  path("m.h5"),     "--quiet"};
    succeed(arguments);
    const std::string first = read("m.h5");
    succeed(arguments);
    EXPECT_TRUE(read("m.h5") == first) << trainer;
  }
}

TEST_F(FitCommand, TracesOneRowPerEvaluation) {
  write("data.csv", surface(50));
  const Json json = succeed_json({"fit", path("data.csv"), "--target", "y", "--features", "a,b", "--restarts", "2",
                                  "--trainer", "likelihood", "--trace", path("trace.csv"), "--json"});
  const NumberTable trace = read_table("trace.csv");
  EXPECT_THAT(trace.names, ElementsAre("restart", "fold", "iteration", "objective", "gradient_norm", "seconds",
                                       "se.l[0]", "se.l[1]", "se.s2", "noise"));
  ASSERT_EQ(trace.rows, json.at("iterations").get<std::size_t>());
  for (std::size_t i = 0; i < trace.rows; ++i) EXPECT_EQ(trace["iteration"][i], static_cast<double>(i + 1));
  EXPECT_TRUE(std::is_sorted(trace["seconds"].begin(), trace["seconds"].end()));
  const auto best = std::min_element(trace["objective"].begin(), trace["objective"].end());
  EXPECT_EQ(*best, json.at("objective").get<double>());
  const auto row = static_cast<std::size_t>(best - trace["objective"].begin());
  EXPECT_THAT(trace["noise"][row], DoubleNear(json.at("noise"), 1e-12));
}

TEST_F(FitCommand, NeverEndsWorseForMoreStarts) {
  write("data.csv", wave(50));
  std::vector<double> objectives;
  for (const char* starts : {"1", "4"}) {
    objectives.push_back(
        succeed_json({"fit", path("data.csv"), "--target", "y", "--kernel", "lp(p=2)", "--restarts", starts, "--json"})
            .at("objective"));
  }
  EXPECT_LE(objectives[1], objectives[0] + 1e-9 * std::abs(objectives[0]));
}

TEST_F(FitCommand, CrossValidatesOverTheFoldsAskedFor) {
  // Two interleaved folds by hand: each half predicted by the other, everything held.
  const std::string data = wave(40);
  write("all.csv", data);
  std::vector<std::string> halves{"x,y\n", "x,y\n"};
  std::istringstream lines(data);
  std::string line;
  std::getline(lines, line);
  for (std::size_t row = 0; std::getline(lines, line); ++row) halves[row % 2] += line + "\n";
  write("half0.csv", halves[0]);
  write("half1.csv", halves[1]);
  const Arguments fixed{"--target",  "y",     "--no-standardize", "--kernel", "se(l=1.5:fixed, s2=30:fixed)", "--noise",
                        "0.1:fixed", "--json"};
  const auto fit = [&](Arguments arguments) {
    arguments.insert(arguments.end(), fixed.begin(), fixed.end());
    return succeed_json(arguments);
  };

  double squares = 0;
  for (const auto& [train, test] : {std::pair{"half0.csv", "half1.csv"}, std::pair{"half1.csv", "half0.csv"}}) {
    fit({"fit", path(train), "-o", path("half.h5")});
    const double rmse = succeed_json({"evaluate", path("half.h5"), path(test), "--json"}).at("rmse");
    squares += 20 * rmse * rmse;
  }
  const Json interleaved = fit({"fit", path("all.csv"), "--folds", "2:interleaved"});
  EXPECT_NEAR(interleaved.at("cv_rmse"), std::sqrt(squares / 40), 1e-9);

  const Json random = fit({"fit", path("all.csv"), "--folds", "4"});
  const Json other = fit({"fit", path("all.csv"), "--folds", "4", "--seed", "2"});
  const Json holdout = fit({"fit", path("all.csv"), "--holdout", "0.25"});
  EXPECT_NE(random.at("cv_rmse"), interleaved.at("cv_rmse"));
  EXPECT_NE(random.at("cv_rmse"), other.at("cv_rmse"));
  EXPECT_NE(random.at("cv_rmse"), holdout.at("cv_rmse"));
}

}  // namespace
}  // namespace gpcv
