/// Training of several targets of one table, with the same folds for all.
#include "gpcv/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "assessment/conformal.hpp"
#include "fit/checkpoints.hpp"
#include "fit/fit_plan.hpp"
#include "fit/learned_noise.hpp"
#include "fit/shared_folds.hpp"
#include "fit/shared_kernel.hpp"
#include "fit/transformed_data.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

std::vector<std::string> names_of_targets(const std::vector<Dataset>& targets) {
  std::vector<std::string> names;
  for (const Dataset& data : targets) names.push_back(data.columns.target);
  return names;
}

/// The options of each target: its part of the folds, its own checkpoint and its earlier model.
std::vector<FitOptions> options_of_targets(const std::vector<Dataset>& targets, const TargetsOptions& wanted) {
  const FitOptions& options = wanted.fit;
  if (!wanted.warm.empty() && wanted.warm.size() != targets.size()) {
    throw InputError(fmt::format("{} earlier models for {} targets", wanted.warm.size(), targets.size()));
  }
  const std::vector<std::optional<FoldOptions>> folds = shared_folds(targets, options);
  const std::vector<std::string> names = names_of_targets(targets);
  std::vector<FitOptions> own(targets.size(), options);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    own[t].folds = folds[t];
    if (!options.checkpoint.empty() && targets.size() > 1) {
      own[t].checkpoint = path_of_target(options.checkpoint, names, t);
    }
    if (wanted.warm.empty()) continue;
    own[t].warm = wanted.warm[t];
    if (own[t].choose_kernel) own[t].keep_kernel_of(*own[t].warm);
  }
  return own;
}

/// Refuses what can be known to be wrong with a target before any is trained, so that no training is lost.
void require_suitable(const Dataset& data, const FitOptions& options) {
  options.kernel.resolved(data.columns).bind(data.inputs());
  require_new_checkpoint(options);
  require_transformable(data, options);
  require_learnable_noise(data, options);
  if (uses_folds(options.train.trainer)) folds_of(data, options, with_budget(options.train.compute));
  if (options.calibration > 0) {
    set_aside(data, options.folds.value_or(FoldOptions{}), options.calibration, options.train.seed);
  }
}

std::string about_target(const Dataset& data, const std::exception& error) {
  return fmt::format("target '{}': {}", data.columns.target, error.what());
}

/// Calls check(t) for each target t; an error of one of several names it.
template <class Check>
void for_each_target(const std::vector<Dataset>& targets, Check&& check) {
  for (std::size_t t = 0; t < targets.size(); ++t) {
    try {
      check(t);
    } catch (const InputError& error) {
      if (targets.size() == 1) throw;
      throw InputError(about_target(targets[t], error), error.remedy(), error.facts());
    }
  }
}

/// Whether the trainings after this one are to be left out.
bool is_last(const FitResult& result, const ComputeOptions& compute) {
  return result.model.provenance.status == Status::stopped || (compute.stop && compute.stop());
}

/// Trains each target by itself.
std::vector<FitResult> fit_each(const std::vector<Dataset>& targets, const TargetsOptions& options,
                                const std::vector<FitOptions>& own, const std::function<void(Index)>& begin,
                                const Observer& observer, const Announce& announce) {
  std::vector<FitResult> results;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const auto number = static_cast<Index>(t);
    if (begin) begin(number);
    try {
      results.push_back(fit(targets[t], own[t], observer, announce));
    } catch (const Interrupted&) {
      if (results.empty()) throw;
      break;
    } catch (const InputError& error) {
      if (targets.size() == 1) throw;
      throw InputError(about_target(targets[t], error), error.remedy(), error.facts());
    } catch (const NumericalError& error) {
      const NumericalError named(targets.size() == 1 ? error.what() : about_target(targets[t], error), error.remedy(),
                                 error.facts());
      const bool none = t + 1 == targets.size() && results.empty();
      if (!options.failed || none) throw NumericalError(named);
      options.failed(number, named);
      continue;
    } catch (const OutOfMemory& error) {
      if (!options.failed || results.empty()) throw;
      options.failed(number, NumericalError(about_target(targets[t], error)));
      continue;
    }
    if (options.done) options.done(number, results.back());
    if (t + 1 < targets.size() && is_last(results.back(), options.fit.train.compute)) break;
  }
  return results;
}

}  // namespace

std::vector<FitResult> fit_targets(const std::vector<Dataset>& targets, const TargetsOptions& options,
                                   const std::function<void(Index)>& begin, const Observer& observer,
                                   const Announce& announce) {
  const bool shares = options.share_kernel && targets.size() > 1;
  if (targets.empty()) throw InputError("there is no target to train");
  for_each_target(targets, [&](std::size_t t) {
    if (targets[t].inputs() != targets[0].inputs()) throw InputError("the targets of one table have the same inputs");
    require_trainable(targets[t]);
  });
  const std::vector<FitOptions> own = options_of_targets(targets, options);
  for_each_target(targets, [&](std::size_t t) { require_suitable(targets[t], own[t]); });
  if (!shares) return fit_each(targets, options, own, begin, observer, announce);
  FitOptions common = options.fit;
  if (!options.warm.empty()) {
    common.warm = options.warm.front();
    if (common.choose_kernel) common.keep_kernel_of(*common.warm);
  }
  std::vector<FitResult> results = fit_shared_kernel(targets, common, begin, observer, announce);
  for (std::size_t t = 0; options.done && t < results.size(); ++t) options.done(static_cast<Index>(t), results[t]);
  return results;
}

}  // namespace gpcv
