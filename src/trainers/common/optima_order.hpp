/// Starts that are over, best first.
#pragma once

#include <algorithm>
#include <cmath>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Those without an objective last.
inline void sort_optima(std::vector<Optimum>& optima) {
  std::stable_sort(optima.begin(), optima.end(), [](const Optimum& a, const Optimum& b) {
    return std::isfinite(a.objective) && (!std::isfinite(b.objective) || a.objective < b.objective);
  });
}

}  // namespace gpcv
