/// Robust training: rows that contradict the model get little weight.
#pragma once

#include "fit/fit_plan.hpp"

namespace gpcv {

/// Weighs the rows by their held-out errors and trains again, until the weights stay: an EM algorithm for a scale
/// mixture of the noise. The plan's problem has the weights afterwards, and the result the training and the weights.
/// data: those of the plan, with first weights   docs/math/robust.md
void weigh_rows(FitPlan& plan, const Dataset& data, const FitOptions& options, FitResult& result);

/// The folds without the rows of little weight among those that they hold out.
Folds without_distrusted(Folds folds, const RowTrust& trust);

/// The finding that names the rows of little weight; nothing where there are none.
std::vector<Finding> findings_about_trust(const Model& model);

}  // namespace gpcv
