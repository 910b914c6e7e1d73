/// The default trainer: Levenberg–Marquardt on the hold-out residuals of all folds together.
#pragma once

#include "gpcv/trainer.hpp"
#include "planning/execution_plan.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {

/// min_u Σ_k ‖y_V − K_VT C_T⁻¹ y_T‖² + W (f⁰/n) ‖u − u⁰‖², u = log θ.  docs/math/gauss-newton.md
TrainResult train_gauss_newton(const Problem& problem, const TrainOptions& options, const Observer& observer);

/// Plan from the start values, with the largest memory that training may need. Throws InputError if no plan fits the
/// memory budget.
ExecutionPlan gauss_newton_plan(const Problem& problem, const TrainOptions& options);

TrainerTraits gauss_newton_traits();

}  // namespace gpcv
