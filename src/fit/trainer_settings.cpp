#include "gpcv/trainer_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "fit/preset.hpp"
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

template <class Value>
void take(const std::optional<Value>& given, auto& option) {
  if (given) option = *given;
}

template <class Choice>
void take_named(const std::optional<std::string>& given, std::initializer_list<Choice> choices, Choice& option) {
  if (given) option = choice_named(*given, choices);
}

/// Whether the text is one of two words, the second of which stands for true.
bool second_of(const std::string& text, std::string_view first, std::string_view second) {
  if (text != first && text != second) throw InputError(fmt::format("'{}' is none of {}, {}", text, first, second));
  return text == second;
}

void apply_theta_step(const TrainerSettings& s, AdmmOptions& admm) {
  take_named(s.theta_step, {ThetaStep::coordinate, ThetaStep::gradient, ThetaStep::adam, ThetaStep::gauss_newton},
             admm.theta_step);
  take_named(s.step_rule, {StepRule::armijo, StepRule::line, StepRule::constant}, admm.step_rule);
  take(s.step_size, admm.step_size);
  take(s.theta_steps, admm.theta_steps);
  take(s.theta_tolerance, admm.theta_tolerance);
  take(s.armijo_start, admm.armijo_start);
  take(s.armijo_shrink, admm.armijo_shrink);
  take(s.armijo_slope, admm.armijo_slope);
  if (s.variables) admm.raw_theta = second_of(*s.variables, "log-theta", "theta");
}

void apply_admm(const TrainerSettings& s, AdmmOptions& admm) {
  apply_theta_step(s, admm);
  take_named(s.stop, {StopRule::residuals, StopRule::change, StopRule::none}, admm.stop);
  take_named(s.choose, {ChooseBy::validation, ChooseBy::training}, admm.choose);
  take(s.rho, admm.rho);
  take(s.rho_dual, admm.rho_dual);
  take(s.balance_rho, admm.balance_rho);
  take(s.lambda0, admm.lambda0);
  take(s.perturbation, admm.perturbation);
  take(s.z_tolerance, admm.z_tolerance);
  // A z-step ends by one of the two rules: a tolerance of the residual that is given replaces that of ‖Δz‖.
  if (s.z_tolerance) admm.z_step_tolerance = 0;
  take(s.z_step_tolerance, admm.z_step_tolerance);
  take(s.z_iterations, admm.z_iterations);
  take(s.precondition, admm.precondition);
  take(s.trace_gap, admm.trace_gap);
  take(s.epsilon, admm.epsilon);
}

void apply_consensus(const TrainerSettings& s, TrainOptions& options) {
  ConsensusOptions& consensus = options.consensus;
  take_named(s.inner, {InnerEngine::admm, InnerEngine::gauss_newton}, consensus.inner);
  take_named(s.consensus_penalty, {ConsensusPenalty::curvature, ConsensusPenalty::scalar}, consensus.penalty);
  // One sweep per round must let λ follow θ_k at once, which takes a larger ρ than a fold on its own.
  constexpr double rho_of_sweeps = 100;
  if (consensus.inner == InnerEngine::admm && !s.rho && s.preset.value_or("default") == "default") {
    options.admm.rho = rho_of_sweeps;
  }
  take(s.rho_consensus, consensus.rho);
  take(s.epsilon, consensus.epsilon);
}

/// Settings of a sweep of ADMM, which have no effect where a consensus takes Gauss–Newton steps.
bool is_of_sweeps(std::string_view setting) {
  static const std::set<std::string_view> others{
      "prior",  "epsilon", "derivatives", "criterion",         "preset",        "hold",
      "choose", "stop",    "variables",   "consensus_penalty", "rho_consensus", "inner"};
  return !others.contains(setting);
}

/// The reason why a setting of the θ-step has no effect; empty if it has one.
std::string no_effect(std::string_view setting, const TrainOptions& train) {
  const AdmmOptions& admm = train.admm;
  if (trainer_info(train.trainer).shares_theta && train.consensus.inner == InnerEngine::gauss_newton) {
    return is_of_sweeps(setting) ? "a consensus whose folds take gauss-newton steps" : "";
  }
  const bool armijo = setting.starts_with("armijo_"), rule = armijo || setting == "step_rule";
  const bool of_steps = rule || setting == "step_size" || setting == "theta_steps" || setting == "theta_tolerance";
  if (admm.theta_step == ThetaStep::gauss_newton) return of_steps ? "the theta-step gauss-newton" : "";
  if (admm.theta_step == ThetaStep::adam) return rule ? "the theta-step adam" : "";
  if (setting == "step_size" && admm.step_rule != StepRule::constant) {
    return fmt::format("the step rule {}", name_of(admm.step_rule));
  }
  const bool used =
      admm.step_rule == StepRule::armijo || (admm.step_rule == StepRule::line && setting == "armijo_start");
  return armijo && !used ? fmt::format("the step rule {}", name_of(admm.step_rule)) : "";
}

/// Throws InputError for a setting that the other settings leave without effect.
void require_effect(const TrainerSettings& settings, const TrainOptions& train) {
  TrainerSettings::visit_fields(settings, [&](const char* setting, const auto& field) {
    const std::string reason = field ? no_effect(setting, train) : "";
    if (reason.empty()) return;
    throw InputError(fmt::format("{} has no effect with {}", setting, reason), Remedy::omit_option, {setting});
  });
}

/// Holds the variances of the kernel, the noise, or both.
void hold_parameters(const std::string& what, FitOptions& options) {
  if (what != "none" && what != "variances" && what != "noise" && what != "both") {
    throw InputError(fmt::format("'{}' is none of none, variances, noise, both", what));
  }
  if (what == "variances" || what == "both") hold_variances(options.kernel);
  if (what == "noise" || what == "both") options.noise.fixed = true;
}

}  // namespace

void TrainerSettings::require_understood() const {
  const TrainerTraits& traits = trainer_traits(trainer);
  visit_fields(*this, [&](const char* setting, const auto& field) {
    if (!field || has_setting(traits, setting)) return;
    throw InputError(fmt::format("{} is an option of the trainer {}, not of {}", setting, owners(setting), trainer),
                     Remedy::omit_option, {std::string(setting)});
  });
}

void TrainerSettings::apply(FitOptions& options) const {
  TrainOptions& train = options.train;
  train.trainer = trainer;
  require_understood();
  const std::string chosen = preset.value_or("default");
  if (chosen != "default" && chosen != "paper" && chosen != "authors") {
    throw InputError(fmt::format("'{}' is none of the presets default, paper, authors", chosen));
  }
  if (chosen != "default") apply_preset(chosen, options);

  take(restarts, train.restarts);
  take(max_iterations, train.max_iterations);
  take(prior, train.prior);
  if (start)
    train.start = choice_named(*start, {Start::automatic, Start::subset, Start::local, Start::values, Start::median});
  take_named(derivatives, {Derivatives::automatic, Derivatives::forward, Derivatives::adjoint},
             train.gauss_newton.derivatives);
  take_named(criterion, {Criterion::crps, Criterion::squared, Criterion::log}, train.gauss_newton.criterion);
  if (epsilon) train.gauss_newton.tolerance = train.gauss_newton.nested_tolerance = *epsilon;
  train.time_limit = time_limit;
  if (no_period_scan) train.scan_periods = false;
  apply_admm(*this, train.admm);
  apply_consensus(*this, train);
  require_effect(*this, train);
  hold_parameters(hold.value_or(chosen == "default" ? "none" : "both"), options);
  if (chosen != "default") options.preset = preset_in_words(chosen, options);
}

std::vector<std::string> admm_setting_names() {
  std::vector<std::string> names;
  TrainerSettings settings;
  TrainerSettings::visit_admm_fields(settings, [&](const char* name, const auto&) { names.emplace_back(name); });
  return names;
}

}  // namespace gpcv
