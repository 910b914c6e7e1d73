/// A fit over one input as an SVG picture.
#pragma once

#include <string>

#include "gpcv/types.hpp"

namespace gpcv {

struct FitChart {
  std::string title, x_label, y_label;
  Vector train_x, train_y;       ///< grey dots
  Vector test_x, test_y;         ///< red dots; may be empty
  Vector x, mean, lower, upper;  ///< ascending x; the line and its band
};

std::string to_svg(const FitChart& chart);

}  // namespace gpcv
