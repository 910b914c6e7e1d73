/// The order of optima, best first.
#pragma once

#include <algorithm>
#include <cmath>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Sorts optima by their objective; those without a finite objective come last.
inline void sort_optima(std::vector<Optimum>& optima) {
  std::stable_sort(optima.begin(), optima.end(), [](const Optimum& a, const Optimum& b) {
    return std::isfinite(a.objective) && (!std::isfinite(b.objective) || a.objective < b.objective);
  });
}

}  // namespace gpcv
