/// First weights of the rows of a robust training, before any model is trained.
#pragma once

#include <optional>

#include "gpcv/fit.hpp"

namespace gpcv {

/// Weights of rows whose target is far from those of their nearest neighbours; empty where no row is. One error of a
/// hundred deviations would otherwise decide the scale of the target, the kernel and the start.   docs/math/robust.md
Vector screened_weights(const Dataset& data, int threads);

/// The data with these weights; nothing where the options ask for no robust training, or no row is far off.
std::optional<Dataset> screened(const Dataset& data, const FitOptions& options);

/// The data for the choice of a transform, with the least weight of each row on the scale of any transform that may be
/// chosen: an error that is gross for one of them would decide against it.
std::optional<Dataset> screened_on_every_scale(const Dataset& data, const FitOptions& options);

/// Standardisation of the inputs by all rows and of the target by those that are trusted.
Standardization trusted_scaling(const Dataset& data);

}  // namespace gpcv
