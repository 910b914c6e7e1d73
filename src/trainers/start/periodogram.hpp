/// Periods of a target in one input.
#pragma once

#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// Periods of the strongest peaks of the periodogram of y over the column x, the strongest first, at most `most`; only
/// those that noise would hardly show. The trend, a polynomial of low degree, is taken off first. The periodogram is
/// that of unevenly spaced rows: the part of Σy² that a sine and a cosine of the frequency explain by least squares.
std::vector<double> likely_periods(ConstVectorView x, ConstVectorView y, std::size_t most);

}  // namespace gpcv
