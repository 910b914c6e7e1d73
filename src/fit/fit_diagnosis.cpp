#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/blas_memory.hpp"
#include "fit/kernel_race.hpp"
#include "fit/learned_noise.hpp"
#include "fit/nested.hpp"
#include "fit/transformed_data.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv {
namespace {

/// Seconds from which on the training time is a warning.
constexpr double long_training = 3600;

/// Text of an estimated duration, rounded.
std::string roughly(double seconds) {
  if (seconds < 10) return fmt::format("{:.1g} s", std::max(seconds, 0.1));
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

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
Finding time_finding(const WholeFit& whole, int threads) {
  const std::string_view work = whole.chooses && whole.nests ? "the choice of a kernel, training and outer folds take"
                                : whole.chooses              ? "the choice of a kernel and training take"
                                : whole.nests                ? "training and outer folds take"
                                                             : "training takes";
  const std::string text =
      fmt::format("{} an estimated {} on {} thread{}", work, roughly(whole.seconds), threads, threads == 1 ? "" : "s");
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
    const auto parameters = static_cast<Index>(theta_names(plan.problem.kernel, plan.problem.noise).size());
    out.push_back(plan.seconds ? time_finding(whole_fit(fit, data, parameters, *plan.seconds), plan.compute.threads)
                               : no_time_finding(fit.train.trainer));
  } catch (const InputError& error) {
    out.push_back({Severity::error, "refused", error.what(), error.remedy(), error.facts()});
  } catch (const OutOfMemory& error) {
    out.push_back({Severity::error, "refused", error.what()});
  }
  return out;
}

}  // namespace gpcv
