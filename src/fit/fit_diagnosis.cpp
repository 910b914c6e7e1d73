#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/blas_library.hpp"
#include "fit/estimate.hpp"
#include "fit/kernel_race.hpp"
#include "fit/learned_noise.hpp"
#include "fit/transformed_data.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv {
namespace {

/// Seconds from which on the training time is a warning.
constexpr double long_training = 3600;

/// Finding about the planned memory.
Finding memory_finding(const ExecutionPlan& plan) {
  return {Severity::note, "memory",
          fmt::format("training and predicting the folds take {} of {}: {}", bytes(plan.total()), bytes(plan.budget),
                      plan.reason)};
}

/// Finding for ADMM, whose number of sweeps cannot be estimated beforehand.
Finding no_time_finding(const std::string& trainer) {
  return {Severity::note, "time", fmt::format("cannot estimate the run time of {}", trainer), Remedy::limit_time};
}

/// Finding about the estimated time of a fit.
Finding time_finding(const Estimate& whole, int threads) {
  const std::string_view work = whole.chooses && whole.nests ? "the choice of a kernel, training and outer folds take"
                                : whole.chooses              ? "the choice of a kernel and training take"
                                : whole.nests                ? "training and outer folds take"
                                                             : "training takes";
  const std::string text = fmt::format("{} an estimated {} on {} thread{}", work, rough_duration(whole.seconds),
                                       threads, threads == 1 ? "" : "s");
  if (whole.seconds < long_training) return {Severity::note, "time", text};
  return {Severity::warning, "time", text, Remedy::limit_time_or_use_fewer_rows};
}

}  // namespace

std::vector<Finding> diagnose_fit(const Dataset& data, const FitOptions& fit, const DiagnosisOptions& options) {
  std::vector<Finding> out = diagnose(data, options);
  if (options.progress) options.progress("memory and time");
  try {
    require_trainable(data);
    require_transformable(data, fit);
    require_learnable_noise(data, fit);
    // A choice takes part in the plan as no transform: memory and time do not depend on it.
    const Dataset trained = transformed(data, placed(fit.transform, data.y));
    require_candidates(trained, fit);
    require_blas_memory(fit.train.compute.threads);
    const FitPlan plan = plan_fit(trained, fit);
    out.push_back(memory_finding(plan.execution));
    const std::optional<Estimate> whole = estimate_fit(trained, fit, plan);
    out.push_back(whole ? time_finding(*whole, plan.compute.threads) : no_time_finding(fit.train.trainer));
  } catch (const InputError& error) {
    out.push_back({Severity::error, "refused", error.what(), error.remedy(), error.facts()});
  } catch (const OutOfMemory& error) {
    out.push_back({Severity::error, "refused", error.what()});
  }
  return out;
}

}  // namespace gpcv
