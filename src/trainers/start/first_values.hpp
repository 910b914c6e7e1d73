/// The values every trainer begins at, before any of its own steps.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// The problem at its first start: values that were not given from the data, periods scanned when the options say so,
/// then the way of starting that the options ask for. A trainer that follows several optima of the subset's likelihood
/// looks for them itself.
Problem started(const Problem& given, const TrainOptions& options);

}  // namespace gpcv
