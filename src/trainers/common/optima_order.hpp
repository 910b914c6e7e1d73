/// The order of optima, best first, and when two are the same.
#pragma once

#include <algorithm>
#include <cmath>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Distance in every log θ_i below which two optima count as one.
constexpr double same_optimum = 0.1;

/// Sorts optima by their objective; those without a finite objective come last.
inline void sort_optima(std::vector<Optimum>& optima) {
  std::stable_sort(optima.begin(), optima.end(), [](const Optimum& a, const Optimum& b) {
    return std::isfinite(a.objective) && (!std::isfinite(b.objective) || a.objective < b.objective);
  });
}

}  // namespace gpcv
