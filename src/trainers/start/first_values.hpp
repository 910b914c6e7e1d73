/// The start values common to all trainers.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// The problem at its first start. Values that were not given are derived from the data, periods are scanned if the
/// options request it, and the kind of start in the options is applied. A trainer that follows several optima of the
/// subset's likelihood determines them itself.
Problem started(const Problem& given, const TrainOptions& options);

}  // namespace gpcv
