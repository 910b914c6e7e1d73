#include "fit/preset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// Constants of one of the authors' programs.
struct Program {
  std::string kernel;                                   ///< kernel without its parameters
  std::vector<std::pair<std::string, double>> trained;  ///< start values
  std::vector<std::pair<std::string, double>> held;     ///< values that are not trained, beside variances of 1
  int iterations;
  std::vector<double> armijo_start, theta_tolerance;
};

/// Variances of the CO2 program: those of Rasmussen and Williams in the units of its data.
constexpr double trend_variance = 66 * 0.01316 * 4, season_variance = 2.4 * 0.01316 * 4;
/// One year in the units of the CO2 program, and the noise variance of all programs.
constexpr double year = 0.197, authors_noise = 0.25;

const std::vector<Program>& programs() {
  static const std::vector<Program> all{
      {"se", {{"se.l", 0.9}}, {}, 10, {0.125}, {1e-3}},
      {"lp", {{"lp.l", 0.9}, {"lp.p", 1.5}}, {}, 20, {0.125}, {1e-3}},
      {"se + lp", {{"se.l", 3.5}, {"lp.l", 1.5}, {"lp.p", 2.5}}, {}, 100, {0.125, 0.0625, 0.0625}, {1e-3}},
      {"se + se * periodic",
       {{"se1.l", 30}, {"se2.l", 10}, {"periodic.l", 0.5}},
       {{"se1.s2", trend_variance}, {"se2.s2", season_variance}, {"periodic.p", year}},
       50,
       {1},
       {1e-3, 1e-3, 1e-2}}};
  return all;
}

/// The kernel without the parameters of its parts, as in "se + lp".
std::string structure(const Kernel& kernel) {
  return std::regex_replace(kernel.to_string(), std::regex("\\([^()]*\\)"), "");
}

const Program& program_of(const Kernel& kernel) {
  const std::string wanted = structure(kernel);
  std::vector<std::string> names;
  for (const Program& program : programs()) {
    if (program.kernel == wanted) return program;
    names.push_back(program.kernel);
  }
  throw InputError(fmt::format("the authors have no program for the kernel {}; their kernels are {}", wanted,
                               fmt::join(names, ", ")));
}

/// Start values and held values of the program, where the user has given none.
void take_values(const Program& program, FitOptions& options) {
  std::vector<Parameter> parameters(options.kernel.parameters().begin(), options.kernel.parameters().end());
  const auto take = [&](const std::string& name, double value, bool fixed) {
    const auto p =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& q) { return q.name == name; });
    if (p == parameters.end()) return;
    if (!p->given) p->value = value;
    p->given = true;
    p->fixed = p->fixed || fixed;
  };
  for (const auto& [name, value] : program.trained) take(name, value, false);
  for (const auto& [name, value] : program.held) take(name, value, true);
  options.kernel = options.kernel.with_parameters(std::move(parameters));
  if (!options.noise.given) options.noise = {.variance = authors_noise, .fixed = false, .given = true};
}

void apply_authors(FitOptions& options) {
  const Program& program = program_of(options.kernel);
  take_values(program, options);
  AdmmOptions& admm = options.train.admm;
  admm.stop = StopRule::none;
  admm.armijo_start = program.armijo_start;
  admm.theta_tolerance = program.theta_tolerance;
  options.train.max_iterations = program.iterations;
}

std::string theta_step_in_words(const AdmmOptions& admm) {
  std::string text = std::string(name_of(admm.theta_step));
  if (admm.theta_step == ThetaStep::coordinate || admm.theta_step == ThetaStep::gradient) {
    text += fmt::format(" steps by {}", name_of(admm.step_rule));
    if (admm.step_rule == StepRule::constant) text += fmt::format(" of {}", admm.step_size.value_or(1e-4));
    if (admm.step_rule == StepRule::armijo) {
      text += fmt::format(" (start {}, shrink {}, slope {})", fmt::join(admm.armijo_start, ", "), admm.armijo_shrink,
                          admm.armijo_slope);
    }
    text += fmt::format(" to {}", fmt::join(admm.theta_tolerance, ", "));
  }
  return text;
}

/// The updates of θ, z and λ on one fold.
std::string sweep_in_words(const AdmmOptions& admm) {
  return fmt::format(
      "{}: {}; rho {}{}, lambda0 {}, z0 perturbed by {}; z until |dz| <= {}", admm.raw_theta ? "theta" : "log theta",
      theta_step_in_words(admm), admm.rho, admm.rho_dual ? fmt::format(" (dual {})", *admm.rho_dual) : "",
      admm.lambda0 ? fmt::format("{}", *admm.lambda0) : "stationary", admm.perturbation, admm.z_step_tolerance);
}

std::string consensus_in_words(const TrainOptions& train) {
  const ConsensusOptions& consensus = train.consensus;
  return fmt::format("consensus in {} by a {} penalty {}; each fold by {}",
                     train.admm.raw_theta ? "theta" : "log theta", name_of(consensus.penalty), consensus.rho,
                     consensus.inner == InnerEngine::admm ? "one sweep per round, " + sweep_in_words(train.admm)
                                                          : std::string(name_of(consensus.inner)));
}

std::string stop_in_words(const TrainOptions& train) {
  switch (train.admm.stop) {
    case StopRule::none:
      return fmt::format("no stopping rule, {} iterations", train.max_iterations);
    case StopRule::change:
      if (trainer_info(train.trainer).shares_theta) break;
      return fmt::format("stop at |dtheta| < {} or after {} iterations", train.admm.epsilon, train.max_iterations);
    case StopRule::residuals:
      break;
  }
  const double epsilon = trainer_info(train.trainer).shares_theta ? train.consensus.epsilon : train.admm.epsilon;
  return fmt::format("stop at residuals below {} or after {} iterations", epsilon, train.max_iterations);
}

}  // namespace

void apply_preset(const std::string& preset, FitOptions& options) {
  use_paper_preset(options.train);
  options.standardize = false;
  if (preset == "authors") apply_authors(options);
}

std::string preset_in_words(const std::string& preset, const FitOptions& options) {
  const TrainOptions& train = options.train;
  return fmt::format("{}: data in {}; {}; {}; starts {}, prior {}", preset,
                     options.standardize ? "standard units" : "their own units",
                     trainer_info(train.trainer).shares_theta ? consensus_in_words(train) : sweep_in_words(train.admm),
                     stop_in_words(train), train.restarts, train.prior);
}

}  // namespace gpcv
