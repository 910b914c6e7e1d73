/// Training data after a transform of the target, and whether a transform suits them.
#pragma once

#include "gpcv/fit.hpp"

namespace gpcv {

/// Throws InputError unless the transform of the options suits the data and the other options: it names the first rows
/// whose target lies outside of its domain.
void require_transformable(const Dataset& data, const FitOptions& options);

/// The transforms that take part in a choice: those that suit every target, also those in the range of the options, and
/// lose no digit of it.
std::vector<TransformOptions> transform_candidates(const Dataset& data, const TransformOptions& options);

/// The transform, with the c and s of yeo-johnson where they are not given: the median of the target and the median
/// distance from it.
TargetTransform placed(const TransformOptions& options, ConstVectorView y);

/// The data with the target T(y).
Dataset transformed(const Dataset& data, const TargetTransform& transform);

}  // namespace gpcv
