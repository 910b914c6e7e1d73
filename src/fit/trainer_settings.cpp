#include "gpcv/trainer_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpcv/named.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

bool has_setting(const TrainerTraits& traits, std::string_view setting) {
  return std::find(traits.settings.begin(), traits.settings.end(), setting) != traits.settings.end();
}

/// Names of the trainers that have a setting, as in "admm, naive or consensus".
std::string owners(std::string_view setting) {
  std::vector<std::string_view> names;
  for (const TrainerTraits& traits : trainer_table()) {
    if (has_setting(traits, setting)) names.push_back(traits.info.name);
  }
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

}  // namespace

void TrainerSettings::require_understood() const {
  const TrainerTraits& traits = trainer_traits(trainer);
  const std::pair<std::string_view, bool> given[] = {{"preset", paper()},
                                                     {"theta_step", theta_step.has_value()},
                                                     {"rho", rho.has_value()},
                                                     {"rho_dual", rho_dual.has_value()},
                                                     {"lambda0", lambda0.has_value()},
                                                     {"epsilon", epsilon.has_value()},
                                                     {"prior", prior.has_value()},
                                                     {"derivatives", derivatives.has_value()},
                                                     {"trace_gap", trace_gap},
                                                     {"inner", inner.has_value()},
                                                     {"rho_consensus", rho_consensus.has_value()}};
  for (const auto& [setting, is_given] : given) {
    if (!is_given || has_setting(traits, setting)) continue;
    throw InputError(fmt::format("{} is an option of the trainer {}, not of {}", setting, owners(setting), trainer),
                     Remedy::omit_option, {std::string(setting)});
  }
}

void TrainerSettings::apply(TrainOptions& options) const {
  options.trainer = trainer;
  if (preset != "default" && preset != "paper") {
    throw InputError(fmt::format("'{}' is none of the presets default, paper", preset));
  }
  require_understood();

  if (paper()) use_paper_preset(options);
  if (restarts) options.restarts = *restarts;
  if (max_iterations) options.max_iterations = *max_iterations;
  if (prior) options.prior = *prior;
  if (theta_step) {
    options.admm.theta_step = choice_named(
        *theta_step, {ThetaStep::coordinate, ThetaStep::gradient, ThetaStep::adam, ThetaStep::gauss_newton});
  }
  if (rho) options.admm.rho = *rho;
  if (rho_dual) options.admm.rho_dual = *rho_dual;
  if (lambda0) options.admm.lambda0 = *lambda0;
  if (epsilon) {
    options.admm.epsilon = options.consensus.epsilon = *epsilon;
    options.gauss_newton.tolerance = options.gauss_newton.nested_tolerance = *epsilon;
  }
  if (start) options.start = choice_named(*start, {Start::subset, Start::values, Start::median});
  if (derivatives) {
    options.gauss_newton.derivatives =
        choice_named(*derivatives, {Derivatives::automatic, Derivatives::forward, Derivatives::adjoint});
  }
  options.time_limit = time_limit;
  if (inner) options.consensus.inner = choice_named(*inner, {InnerEngine::admm, InnerEngine::gauss_newton});
  if (rho_consensus) options.consensus.rho = *rho_consensus;
  options.admm.trace_gap = trace_gap;
  if (no_period_scan) options.scan_periods = false;
}

}  // namespace gpcv
