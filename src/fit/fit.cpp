#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "assessment/conformal.hpp"
#include "core/blas_library.hpp"
#include "core/clock.hpp"
#include "core/deadline.hpp"
#include "fit/checkpoints.hpp"
#include "fit/estimate.hpp"
#include "fit/kernel_fit.hpp"
#include "fit/kernel_race.hpp"
#include "fit/learned_noise.hpp"
#include "fit/nested.hpp"
#include "fit/robust_fit.hpp"
#include "fit/row_screening.hpp"
#include "fit/stopping.hpp"
#include "fit/transform_race.hpp"
#include "fit/transformed_data.hpp"
#include "fit/validation.hpp"
#include "gpcv/assessment.hpp"
#include "gpcv/error.hpp"
#include "gpcv/model_findings.hpp"
#include "gpcv/posterior.hpp"
#include "prediction/signal.hpp"

namespace gpcv {
namespace {

/// Trains on all rows but those set aside, whose scores say how wide intervals must be.
FitResult fit_and_set_aside(const Dataset& data, const FitOptions& options, const Observer& observer,
                            const Announce& announce) {
  if (!(options.calibration < 1)) {
    throw InputError(fmt::format("the fraction set aside must lie between 0 and 1, it is {}", options.calibration));
  }
  FitOptions rest = options;
  rest.calibration = 0;
  rest.transform.least = data.y.minCoeff();  // the rows set aside are transformed, too
  rest.transform.most = data.y.maxCoeff();
  const SetAside parts =
      set_aside(data, options.folds.value_or(FoldOptions{}), options.calibration, options.train.seed);
  if (rest.folds && rest.folds->folds) {
    rest.folds->folds = std::make_shared<Folds>(rest.folds->folds->of_rows(parts.rows));
  }
  FitResult out = fit(parts.training, rest, observer, announce);
  const Stopwatch watch;
  const ComputeOptions& compute = options.train.compute;
  try {
    if (compute.stop && compute.stop()) throw Interrupted("stopped");
    out.model.conformal = conformal_scores(out.model, parts.aside, compute);
    out.seconds.emplace_back("conformal", watch.seconds());
  } catch (const Interrupted&) {
    out.leave_out("conformal intervals", status_of_end(*options.train.deadline));
  }
  return out;
}

/// Chooses the kernel where the options ask for it, and trains.
FitResult fit_with_noise(const Dataset& given, const FitOptions& options, const Observer& observer,
                         const Announce& announce) {
  const std::optional<Dataset> first_weights = screened(given, options);
  const Dataset& data = first_weights ? *first_weights : given;
  if (!options.choose_kernel) return fit_kernel(data, options, observer, announce);
  const Stopwatch watch;
  ChosenKernel chosen = choose_kernel(data, options);
  const double choosing = watch.seconds();
  FitResult out = fit_kernel(data, with_kernel(chosen, options), observer, announce);
  out.seconds.insert(out.seconds.begin(), {"choose", choosing});
  if (chosen.cut_short) out.model.provenance.message += "; the choice of the kernel was cut short";
  out.model.provenance.kernels = std::move(chosen.ranking);
  return out;
}

/// Trains, and learns the noise where the options ask for it.
FitResult fit_target(const Dataset& data, const FitOptions& options, const Observer& observer,
                     const Announce& announce) {
  if (options.noise_model == NoiseModel::constant) return fit_with_noise(data, options, observer, announce);
  bool first = true;
  return fit_learned_noise(data, options, [&](const Dataset& rows, const FitOptions& how) {
    return fit_with_noise(rows, how, observer, std::exchange(first, false) ? announce : Announce{});
  });
}

/// Fits the transformed target; the model then predicts the target.
FitResult fit_transformed(const Dataset& data, const FitOptions& options, ChosenTransform chosen,
                          const Observer& observer, const Announce& announce) {
  FitResult out = fit_target(transformed(data, chosen.transform), options, observer, announce);
  Model& model = out.model;
  Provenance& provenance = model.provenance;
  model.transform = chosen.transform;
  provenance.transforms = std::move(chosen.ranking);
  if (chosen.cut_short) provenance.message += "; the choice of the transform was cut short";
  if (!provenance.held_out.empty()) provenance.cv_rmse = provenance.inner_rmse = held_out_rmse(model, data.y);
  return out;
}

/// Assesses the error by outer folds where the options ask for it; otherwise says how optimistic it is.
void assess_error(FitResult& out, const Dataset& data, const FitOptions& options, double seconds) {
  Provenance& provenance = out.model.provenance;
  const ComputeOptions& compute = options.train.compute;
  if (provenance.held_out.empty()) return;
  const Stopwatch watch;
  std::string why = uses_folds(options.train.trainer) ? "these folds cannot be made again of a part of the rows"
                                                      : "the trainer uses no folds";
  const auto parameters = static_cast<Index>(theta_names(out.model.kernel, options.noise).size());
  const bool tried = assesses_nested(options, data, parameters, seconds);
  if (out.training.status == Status::stopped || out.training.status == Status::time_limit || !out.left_out.empty()) {
    if (tried) out.leave_out("outer folds", provenance.status);
    return;
  }
  if (tried) {
    Folds outer;
    why = assess_nested(out.model, data, options, seconds, outer);
    out.seconds.emplace_back("assess", watch.seconds());
    if (why.empty()) {
      out.folds = std::move(outer);  // those that the held-out predictions come from
      return;
    }
    if (compute.stop && compute.stop()) return out.leave_out("outer folds", status_of_end(*options.train.deadline));
  }
  if (tried || options.assess == Assess::nested) provenance.message += fmt::format("; no nested error: {}", why);
  if (uses_folds(options.train.trainer)) estimate_optimism(provenance, out.training, out.folds.validated());
}

/// Tells the caller how long the fit takes, before work begins.
void tell_expected(const Dataset& data, const FitOptions& options) {
  const Dataset trained = transformed(data, placed(options.transform, data.y));
  const std::optional<Estimate> whole = estimate_fit(trained, options, plan_fit(trained, options));
  if (whole) options.expected(std::min(whole->seconds, options.train.deadline->limit()));
}

}  // namespace

std::vector<Finding> findings_about(const Model& model) {
  std::vector<Finding> findings;
  if (!beats_mean(model)) {
    findings.push_back(
        {Severity::warning, "no_signal", "the predictions of held-out rows are no better than the mean of the target"});
  }
  for (Finding& finding : findings_about_trust(model)) findings.push_back(std::move(finding));
  const HeldOutRows held = held_out_rows(model);
  constexpr double far_below = 0.8;
  constexpr std::size_t few = 20;
  if (held.rows.size() < few) return findings;
  const double covered = evaluate(held.prediction, held.y).coverage95;
  if (covered < far_below) {
    findings.push_back({Severity::warning, "coverage",
                        fmt::format("the 95 % intervals hold only {:.0f} % of the held-out rows: the standard "
                                    "deviations are too small; check the noise if it was given",
                                    100 * covered)});
  }
  return findings;
}

void FitResult::leave_out(const std::string& what, Status reason) {
  const bool first = left_out.empty(), said = training.status == reason;
  if (first && !said) {
    model.provenance.message += reason == Status::time_limit ? "; the time limit was reached" : "; stopped on request";
  }
  model.provenance.message += fmt::format("{}{}", first ? ", without " : ", ", what);
  model.provenance.status = reason;
  left_out.push_back(what);
}

FitOptions FitOptions::automatic() {
  FitOptions options;
  options.choose_kernel = true;
  options.assess = Assess::automatic;
  return options;
}

void FitOptions::use_kernel(const std::string& text) {
  choose_kernel = text == "auto" && trainer_info(train.trainer).pools_folds;
  kernel = Kernel::parse(text == "auto" ? "se(ard)" : text);
}

void FitOptions::use_noise(const std::string& text) {
  noise_model = text == name_of(NoiseModel::learned)     ? NoiseModel::learned
                : text == name_of(NoiseModel::automatic) ? NoiseModel::automatic
                                                         : NoiseModel::constant;
  if (noise_model == NoiseModel::constant) noise = Noise::parse(text);
}

void FitOptions::keep_kernel_of(const Model& model) {
  choose_kernel = false;
  for (const auto& [name, value] : model.provenance.settings) {
    if (name == "kernel") kernel = Kernel::parse(value);
  }
}

FitResult fit(const Dataset& data, const FitOptions& wanted, const Observer& observer, const Announce& announce) {
  require_trainable(data);
  FitOptions options = wanted;
  const bool begins = options.train.deadline == nullptr;
  begin_deadline(options);
  options.kernel = options.kernel.resolved(data.columns);
  require_blas_memory(options.train.compute.threads);
  require_new_checkpoint(options);
  require_transformable(data, options);
  require_learnable_noise(data, options);
  if (options.warm && !options.warm->noise_process.is_constant()) options.warm = with_constant_noise(*options.warm);
  if (begins) require_enough_time(data, options);
  if (begins && options.expected) tell_expected(data, options);
  if (options.calibration > 0) return fit_and_set_aside(data, options, observer, announce);
  const Stopwatch watch;
  const std::optional<Dataset> weighed = screened_on_every_scale(data, options);
  ChosenTransform transform = choose_transform(weighed ? *weighed : data, options);
  const double choosing = watch.seconds();
  FitOptions chosen = options;
  chosen.transform = {.given = transform.transform};
  FitResult out = options.transform.is_none() ? fit_target(data, chosen, observer, announce)
                                              : fit_transformed(data, chosen, std::move(transform), observer, announce);
  if (!options.transform.is_none()) {
    out.model.provenance.settings.emplace_back("transform", options.transform.to_string());
    out.seconds.insert(out.seconds.begin(), {"transform", choosing});
  }
  // The model from which training starts has decided the transform; outer folds start without it.
  assess_error(out, data, options.warm ? chosen : options, watch.seconds());
  out.findings = findings_about(out.model);
  return out;
}

}  // namespace gpcv
