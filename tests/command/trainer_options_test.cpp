/// The trainers admm, naive and consensus from the command line: presets, options, traces, refusals.
#include <cmath>
#include <regex>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TrainerOptions : public CommandTest {
 protected:
  void SetUp() override { write("data.csv", wave(60)); }

  Arguments fit(const std::string& trainer, const Arguments& options = {}) const {
    Arguments arguments{"fit", path("data.csv"), "--target", "y", "--trainer", trainer};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
  Json fit_json(const std::string& trainer, Arguments options = {}) const {
    options.emplace_back("--json");
    return succeed_json(fit(trainer, options));
  }
  /// Whatever the exit code is, it belongs to the status.
  Json any_json(const std::string& trainer, Arguments options = {}) const {
    options.emplace_back("--json");
    const Finished result = gpcv(fit(trainer, options));
    EXPECT_EQ(result.err, "");
    const Json json = Json::parse(result.out);
    EXPECT_EQ(result.exit_code, json.at("status") == "converged" ? 0 : 1) << json.at("message");
    return json;
  }
  static void expect_finite(const NumberTable& table) {
    for (const std::string& name : table.names) {
      for (double value : table[name]) EXPECT_TRUE(std::isfinite(value)) << name;
    }
  }
};

TEST_F(TrainerOptions, EveryTrainerFitsAndSaysSoInJson) {
  for (const char* trainer : {"admm", "naive", "consensus"}) {
    SCOPED_TRACE(trainer);
    const Json json = fit_json(trainer, {"--kernel", "se(l=1)", "-o", path("model.h5")});
    EXPECT_EQ(json.at("status"), "converged");
    EXPECT_EQ(json.at("trainer"), trainer);
    EXPECT_EQ(json.at("optima").size(), 3u);
    EXPECT_GT(json.at("iterations").get<int>(), 3);
    EXPECT_GT(json.at("objective").get<double>(), 0);
    EXPECT_GT(json.at("parameters").at("se.l").get<double>(), 0);
    // Hold-out error is about the noise, 0.3² in units of y.
    const double y_scale = json.at("y_scale");
    EXPECT_LT(std::sqrt(json.at("objective").get<double>()) * y_scale, 0.6);
    EXPECT_LT(json.at("cv_rmse").get<double>(), 0.6);
    // The error that was trained is the error that is reported, in other units.
    EXPECT_NEAR(std::sqrt(json.at("objective").get<double>()) * y_scale, json.at("cv_rmse").get<double>(), 1e-3);
    write("new.csv", "x\n1\n2\n");
    EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("new.csv")}).rows, 2u);
  }
}

TEST_F(TrainerOptions, TheFoldsAreOneHoldOutForAdmmAndFiveForTheOthers) {
  const Arguments quick{"--kernel", "se(l=1)", "--restarts", "1"};
  EXPECT_THAT(any_json("admm", quick).at("folds"), HasSubstr("holdout of 30 of 60 rows"));
  EXPECT_THAT(any_json("naive", quick).at("folds"), HasSubstr("5 random folds"));
  EXPECT_THAT(any_json("consensus", quick).at("folds"), HasSubstr("5 random folds"));
  EXPECT_THAT(any_json("admm", {"--kernel", "se(l=1)", "--restarts", "1", "--holdout", "0.2"}).at("folds"),
              HasSubstr("holdout of 12 of 60 rows"));
  EXPECT_THAT(any_json("naive", {"--kernel", "se(l=1)", "--restarts", "1", "--time", "x:3"}).at("folds"),
              HasSubstr("3"));
}

TEST_F(TrainerOptions, ThePresetOfThePaperHoldsVariancesAndNoise) {
  for (const char* trainer : {"admm", "naive"}) {
    for (const char* kernel : {"se(l=1)", "se(l=1, s2=2) + lp(l=1, p=6)"}) {
      SCOPED_TRACE(std::string(trainer) + " " + kernel);
      const Json json = any_json(trainer, {"--preset", "paper", "--kernel", kernel, "--noise", "0.2", "-o",
                                           path("model.h5"), "--trace", path("trace.csv")});
      EXPECT_EQ(json.at("noise"), 0.2);
      for (const auto& [name, value] : json.at("parameters").items()) {
        if (name.ends_with(".s2")) {
          EXPECT_EQ(value, name == "se.s2" && std::string(kernel).find("s2=2") != std::string::npos ? 2.0 : 1.0)
              << name;
        }
        if (name.ends_with(".l")) {
          EXPECT_NE(value, 1.0) << name;
        }
      }
      EXPECT_EQ(json.at("optima").size(), 1u) << "one start";
      const NumberTable trace = read_table("trace.csv");
      for (const std::string& name : trace.names) {
        EXPECT_THAT(name, Not(HasSubstr("s2")));
        EXPECT_NE(name, "noise");
      }
      for (double rho : trace["rho"]) EXPECT_EQ(rho, 5);
      EXPECT_LE(*std::max_element(trace["iteration"].begin(), trace["iteration"].end()), 100);
    }
  }
}

TEST_F(TrainerOptions, WhatIsSaidOverridesThePreset) {
  const Json json = any_json("admm", {"--preset", "paper", "--kernel", "se(l=1)", "--rho", "7", "--max-iterations", "2",
                                      "--restarts", "2", "--epsilon", "1e-12", "--trace", path("trace.csv")});
  EXPECT_EQ(json.at("status"), "max_iterations");
  EXPECT_EQ(json.at("optima").size(), 2u);
  const NumberTable trace = read_table("trace.csv");
  for (double rho : trace["rho"]) EXPECT_EQ(rho, 7);
  EXPECT_EQ(*std::max_element(trace["iteration"].begin(), trace["iteration"].end()), 2);
}

TEST_F(TrainerOptions, EveryThetaStepRuns) {
  for (const char* step : {"coordinate", "gradient", "adam", "gauss-newton"}) {
    const Json json = any_json("admm", {"--theta-step", step, "--kernel", "se(l=1)", "--restarts", "1",
                                        "--max-iterations", "20", "--trace", path("trace.csv")});
    EXPECT_TRUE(json.at("objective").is_number()) << step;
    const NumberTable trace = read_table("trace.csv");
    expect_finite(trace);
    EXPECT_LT(trace["objective"].back(), trace["objective"].front()) << step;
  }
}

TEST_F(TrainerOptions, ThePresetIsPrintedInOneLineAndKeepsTheUnits) {
  for (const char* preset : {"paper", "authors"}) {
    const Arguments options{"--preset", preset, "--kernel", "se(l=1)", "--noise", "0.2", "--max-iterations", "3"};
    const std::string text = gpcv(fit("naive", options)).out;
    EXPECT_TRUE(std::regex_search(text, std::regex("\npreset   " + std::string(preset) + ": [^\n]*rho 5[^\n]*\n")))
        << text;
    const Json json = any_json("naive", options);
    EXPECT_THAT(json.at("preset"), HasSubstr(preset));
    EXPECT_EQ(json.at("y_scale"), 1.0);
    EXPECT_EQ(json.at("x_scale"), Json({1.0}));
    EXPECT_EQ(json.at("y_mean"), 0.0);
  }
  EXPECT_EQ(any_json("naive", {"--kernel", "se(l=1)"}).at("preset"), "");
  refuse(fit("naive", {"--preset", "authors", "--kernel", "rq"}), {"rq", "se + se * periodic"});
}

TEST_F(TrainerOptions, TheLiteralStepIsOneStepPerSweep) {
  any_json("admm", {"--preset", "paper", "--kernel", "se(l=1)", "--theta-step", "gradient", "--step-rule", "constant",
                    "--step-size", "1e-5", "--stop", "none", "--max-iterations", "4", "--trace", path("trace.csv")});
  const NumberTable trace = read_table("trace.csv");
  EXPECT_THAT(trace["theta_steps"], ElementsAre(0, 1, 1, 1, 1));
  for (double limited : trace["theta_limited"]) EXPECT_EQ(limited, 0);
  for (double products : trace["products"]) EXPECT_GE(products, 0);
}

TEST_F(TrainerOptions, ALimitOfStepsThatStrikesIsReportedThreeTimes) {
  const Arguments options{"--preset", "paper", "--kernel",         "se(l=1)", "--theta-steps", "1",
                          "--stop",   "none",  "--max-iterations", "2",       "--trace",       path("trace.csv")};
  const std::string text = gpcv(fit("admm", options)).out;
  EXPECT_THAT(text, HasSubstr("limit of steps ended this theta-step"));
  EXPECT_THAT(text, HasSubstr("limit of 1 steps"));
  EXPECT_EQ(read_table("trace.csv")["theta_limited"].back(), 1);
}

TEST_F(TrainerOptions, TheVariablesTheStopAndWhatIsHeldCanBeChosen) {
  const Json freed = any_json("admm", {"--preset", "paper", "--hold", "variances", "--kernel", "se(l=1)", "--noise",
                                       "0.2", "--max-iterations", "3"});
  EXPECT_NE(freed.at("noise"), 0.2);
  EXPECT_EQ(freed.at("parameters").at("se.s2"), 1.0);
  const Json all =
      any_json("admm", {"--stop", "none", "--max-iterations", "3", "--kernel", "se(l=1)", "--restarts", "1"});
  EXPECT_EQ(all.at("status"), "max_iterations");
  EXPECT_THAT(all.at("message"), HasSubstr("no stopping rule"));
  const Json change =
      any_json("admm", {"--stop", "change", "--variables", "theta", "--epsilon", "0.1", "--kernel", "se(l=1)"});
  EXPECT_THAT(change.at("message"), HasSubstr("|dtheta| < 0.1"));
}

TEST_F(TrainerOptions, ConsensusAsPublishedKeepsItsPenalty) {
  any_json("consensus", {"--preset", "paper", "--kernel", "se(l=1)", "--noise", "0.1", "--folds", "2",
                         "--rho-consensus", "20", "--trace", path("trace.csv")});
  const NumberTable trace = read_table("trace.csv");
  for (double rho : trace["rho"]) EXPECT_EQ(rho, 20);
  expect_finite(trace);
}

TEST_F(TrainerOptions, AStartIsChosenByTheTrainingErrorIfAsked) {
  const Arguments starts{"--kernel", "se(l=1)", "--restarts", "4", "--max-iterations", "3"};
  Arguments training = starts;
  training.insert(training.end(), {"--choose", "training"});
  const Json by_validation = any_json("naive", starts), by_training = any_json("naive", training);
  EXPECT_GE(by_training.at("optima").front().at("objective"), by_validation.at("optima").front().at("objective"));
}

TEST_F(TrainerOptions, ListsHaveOneValueOrOnePerParameter) {
  for (const char* option : {"--armijo-start", "--theta-tolerance"}) {
    any_json("admm",
             {"--theta-step", "coordinate", option, "0.1,0.2,0.3", "--kernel", "se(l=1)", "--max-iterations", "2"});
    refuse(fit("admm", {"--theta-step", "coordinate", option, "0.1,0.2", "--kernel", "se(l=1)"}), {"2 values", "3"});
    refuse(fit("admm", {option, "0.1"}), {option, "no effect", "gauss-newton"});
    refuse(fit("admm", {option, "0.1,-1,2", "--kernel", "se(l=1)"}), {option});
  }
  for (const char* option : {"--armijo-shrink", "--armijo-slope"})
    refuse(fit("admm", {"--theta-step", "gradient", option, "1.5"}), {"between 0 and 1"});
  refuse(fit("admm", {"--theta-steps", "0"}), {"--theta-steps"});
  refuse(fit("admm", {"--balance-rho", "perhaps"}), {"--balance-rho"});
}

TEST_F(TrainerOptions, BothInnerEnginesOfConsensusRun) {
  std::vector<double> found;
  for (const char* engine : {"gauss-newton", "admm"}) {
    const Json json = fit_json("consensus", {"--inner", engine, "--kernel", "se(l=1, s2=1:fixed)", "--noise",
                                             "0.05:fixed", "--restarts", "1", "--rho-consensus", "5"});
    found.push_back(std::log(json.at("parameters").at("se.l").get<double>()));
  }
  EXPECT_NEAR(found[0], found[1], 2e-2);
}

TEST_F(TrainerOptions, TheTraceHasAColumnForEverythingMeasured) {
  const Arguments quick{"--kernel", "se(l=1)", "--restarts", "2", "--trace", path("trace.csv"), "--folds", "3"};
  succeed(fit("naive", quick));
  const NumberTable naive = read_table("trace.csv");
  EXPECT_THAT(naive.names, ElementsAre("restart", "fold", "iteration", "objective", "gradient_norm", "seconds", "se.l",
                                       "se.s2", "noise", "constraint_residual", "rho", "lagrangian", "z_norm",
                                       "cg_iterations", "theta_change", "z_change", "lambda_norm", "primal_residual",
                                       "dual_residual", "theta_steps", "theta_limited", "products"));
  expect_finite(naive);
  EXPECT_EQ(*std::max_element(naive["fold"].begin(), naive["fold"].end()), 2);
  EXPECT_EQ(*std::max_element(naive["restart"].begin(), naive["restart"].end()), 1);

  succeed(fit("consensus", quick));
  const NumberTable consensus = read_table("trace.csv");
  EXPECT_THAT(consensus.names,
              ElementsAre("restart", "fold", "iteration", "objective", "gradient_norm", "seconds", "se.l", "se.s2",
                          "noise", "primal_residual", "dual_residual", "theta_change", "dual_norm", "rho"));
  expect_finite(consensus);
}

TEST_F(TrainerOptions, TheGapIsTracedOnRequest) {
  for (const char* trainer : {"admm", "naive"}) {
    const Json json =
        any_json(trainer, {"--trace-gap", "--kernel", "se(l=1)", "--restarts", "1", "--trace", path("trace.csv")});
    EXPECT_EQ(json.at("status"), "converged");
    const NumberTable trace = read_table("trace.csv");
    EXPECT_EQ(trace.names.back(), "gap");
    expect_finite(trace);
    for (double gap : trace["gap"]) EXPECT_GE(gap, 0);
    EXPECT_LT(trace["gap"].front(), 1e-6) << "the first z solves its system";
  }
}

TEST_F(TrainerOptions, OptionsOfOtherTrainersAreRefused) {
  const std::vector<Arguments> of_folds{{"--preset", "paper"}, {"--theta-step", "adam"}, {"--rho", "2"},
                                        {"--rho-dual", "2"},   {"--lambda0", "1"},       {"--epsilon", "0.1"},
                                        {"--prior", "1"}};
  for (const Arguments& option : of_folds) refuse(fit("likelihood", option), {option[0], "admm", "likelihood"});
  refuse(fit("likelihood", {"--trace-gap"}), {"--trace-gap", "admm or naive", "likelihood"});
  refuse(fit("consensus", {"--trace-gap"}), {"--trace-gap", "admm or naive", "consensus"});
  for (const char* trainer : {"likelihood", "admm", "naive"}) {
    refuse(fit(trainer, {"--inner", "admm"}), {"--inner", "consensus", trainer});
    refuse(fit(trainer, {"--rho-consensus", "2"}), {"--rho-consensus", "consensus", trainer});
  }
}

TEST_F(TrainerOptions, ValuesThatMakeNoSenseAreRefused) {
  for (const char* bad : {"0", "-1", "nan", "inf", "abc", ""}) {
    for (const char* option : {"--rho", "--rho-dual", "--epsilon"}) {
      refuse(fit("admm", {std::string(option) + "=" + bad}), {option});
    }
    refuse(fit("consensus", {std::string("--rho-consensus=") + bad}), {"--rho-consensus"});
  }
  for (const char* bad : {"-1", "nan", "inf", "abc"}) refuse(fit("naive", {std::string("--prior=") + bad}), {"prior"});
  for (const char* bad : {"nan", "inf", "abc"}) refuse(fit("naive", {std::string("--lambda0=") + bad}), {"lambda0"});
  refuse(fit("admm", {"--preset", "magic"}), {"--preset", "magic", "paper"});
  refuse(fit("admm", {"--theta-step", "newton"}), {"--theta-step", "newton", "gauss-newton"});
  refuse(fit("consensus", {"--inner", "newton"}), {"--inner", "newton", "gauss-newton"});
  refuse(fit("magic"), {"--trainer", "magic", "consensus"});
  refuse(fit("admm", {"--restarts", "0"}), {"--restarts"});
  refuse(fit("admm", {"--max-iterations", "0"}), {"--max-iterations"});
}

TEST_F(TrainerOptions, FoldsThatCannotBeAreRefused) {
  refuse(fit("naive", {"--folds", "61"}), {"61 folds", "60", "fewer"});
  refuse(fit("consensus", {"--folds", "1"}), {"folds '1'"});
  refuse(fit("naive", {"--holdout", "0"}), {"--holdout"});
  refuse(fit("admm", {"--holdout", "1"}), {"--holdout"});
  refuse(fit("naive", {"--folds", "2", "--holdout", "0.5"}), {"--folds", "--holdout"});
}

TEST_F(TrainerOptions, SeveralFoldsForAdmmAreRefusedBeforeAnythingIsPrinted) {
  refuse(fit("admm", {"--folds", "3"}), {"admm", "one hold-out split", "naive or consensus"});
  refuse(fit("admm", {"--time", "x:3"}), {"admm", "one hold-out split"});
}

TEST_F(TrainerOptions, NothingToTrainIsRefusedBeforeAnythingIsPrinted) {
  for (const char* trainer : {"admm", "naive", "consensus"}) {
    refuse(fit(trainer, {"--kernel", "se(l=1:fixed, s2=1:fixed)", "--noise", "0.1:fixed"}), {"held"});
  }
}

TEST_F(TrainerOptions, NotConvergingEndsWithOneAndAUsableModel) {
  for (const char* trainer : {"admm", "naive", "consensus"}) {
    SCOPED_TRACE(trainer);
    const Finished result = gpcv(fit(trainer, {"--kernel", "se(l=1)", "--max-iterations", "1", "--epsilon", "1e-9",
                                               "--json", "-o", path("model.h5")}));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.err, "");
    const Json json = Json::parse(result.out);
    EXPECT_EQ(json.at("status"), "max_iterations");
    EXPECT_THAT(json.at("message"), HasSubstr("not converged after 1 "));
    write("new.csv", "x\n1\n2\n");
    EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("new.csv")}).rows, 2u);
  }
}

TEST_F(TrainerOptions, SameSeedGivesTheSameJson) {
  for (const char* trainer : {"admm", "naive", "consensus"}) {
    const Arguments options{"--kernel", "se(l=1)", "--seed", "5", "--restarts", "2"};
    EXPECT_EQ(without_measurements(any_json(trainer, options)), without_measurements(any_json(trainer, options)));
  }
}

TEST_F(TrainerOptions, TheTableShowsHoldOutErrorsResidualsAndFolds) {
  const Arguments easy{"--kernel", "se(l=1, s2=1:fixed)", "--noise", "0.02:fixed", "--restarts", "1"};
  const std::string naive = succeed(fit("naive", easy));
  for (const char* part : {"trainer: naive", "holdout mse", "constraint_residual", "5 random folds"}) {
    EXPECT_THAT(naive, HasSubstr(part));
  }
  EXPECT_TRUE(std::regex_search(naive, std::regex("\nstatus +converged")));
  const std::string consensus = succeed(fit("consensus", easy));
  EXPECT_THAT(consensus, HasSubstr("primal_residual"));
  EXPECT_EQ(succeed(fit("admm", {"--kernel", "se(l=1)", "--quiet"})), "");
}

TEST_F(TrainerOptions, HelpNamesEveryOption) {
  const std::string help = succeed({"fit", "--help"});
  for (const char* option : {"--trainer", "--preset", "(11a)", "(12)", "(11b)", "(11c)", "(14)", "(16)", "--theta-step",
                             "--rho", "--rho-dual", "--lambda0", "--epsilon", "--prior", "--trace-gap", "--inner",
                             "--rho-consensus", "--holdout", "consensus"}) {
    EXPECT_THAT(help, HasSubstr(option));
  }
}

TEST_F(TrainerOptions, ASignalKeepsTheBestModelSoFar) {
  write("data.csv", wave(1500));
  for (const char* trainer : {"admm", "naive", "consensus"}) {
    SCOPED_TRACE(trainer);
    Process process(command_line(fit(trainer, {"--restarts", "1000", "-o", path("model.h5")})));
    ASSERT_TRUE(process.wait_for("    1 |    1 |    0 |", 60)) << "training has not begun";
    process.send(SIGINT);
    const Finished result = process.finish(15);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("gpcv: stopping; the model is written in about "));
    EXPECT_TRUE(std::regex_search(result.out, std::regex("\nstatus +stopped"))) << result.out;
    if (files().count("model.h5") == 0) {
      ADD_FAILURE() << "no model was kept";
      continue;
    }
    write("new.csv", "x\n1\n2\n");
    EXPECT_EQ(succeed_table({"predict", path("model.h5"), path("new.csv"), "--mean-only"}).rows, 2u);
    std::filesystem::remove(path("model.h5"));
  }
}

}  // namespace
}  // namespace gpcv
