/// The choice of a transform of the target by cross-validation.
#pragma once

#include "gpcv/fit.hpp"

namespace gpcv {

/// Rows that transforms are compared on at most.
constexpr Index most_transformed_rows = 1500;

/// The choice.
struct ChosenTransform {
  TargetTransform transform;
  std::vector<RankedTransform> ranking = {};  ///< best first; empty where nothing was chosen
  bool cut_short = false;                     ///< a stop or the time limit ended the race before its last round
};

/// The transform that the options ask for; λ of yeo-johnson maximises the likelihood of held-out errors. To choose, a
/// kernel of Matérn 5/2 and linear parts is trained for each transform on at most 1500 rows and the same folds, and
/// they are compared by the CRPS of the held-out rows in the target's units. The simplest transform is chosen of those
/// that are not worse than the best by more than one standard error and half a percent. An earlier model from which
/// training starts decides instead.   docs/math/transforms.md
ChosenTransform choose_transform(const Dataset& data, const FitOptions& options);

}  // namespace gpcv
