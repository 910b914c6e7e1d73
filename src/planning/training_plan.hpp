/// The former name of the plan of a training.
#pragma once

#include "planning/execution_plan.hpp"

namespace gpcv {
using TrainingPlan = ExecutionPlan;
}  // namespace gpcv
