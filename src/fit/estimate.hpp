/// The estimated time of a whole fit.
#pragma once

#include <optional>

#include "evaluation/machine_speed.hpp"
#include "fit/fit_plan.hpp"

namespace gpcv {

/// Estimated real seconds of a fit.
struct Estimate {
  double seconds = 0;
  bool chooses = false;  ///< the kernel is chosen
  bool nests = false;    ///< outer folds repeat the training
};

/// Time of the choices, the training, the assessment and the conditioning that the plan and the options ask for; empty
/// for trainers whose steps cannot be counted beforehand.   data: with the transformed target
std::optional<Estimate> estimate_fit(const Dataset& data, const FitOptions& options, const FitPlan& plan);

}  // namespace gpcv
