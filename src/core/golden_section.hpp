/// Golden-section search.
#pragma once

#include <utility>

namespace gpcv {

/// The minimum of a function of one variable between two limits, by golden-section search.
template <class Function>
std::pair<double, double> golden_minimum(const Function& f, double low, double high, int steps) {
  constexpr double golden = 0.6180339887498949;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = f(left), at_right = f(right);
  for (int i = 0; i < steps; ++i) {
    if (at_left < at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = f(left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = f(right);
    }
  }
  return at_left < at_right ? std::pair{left, at_left} : std::pair{right, at_right};
}

}  // namespace gpcv
