/// Axes of SVG charts.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// Range of the values that a chart shows; values that are not finite do not count.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value);
  void add(const Vector& values);
  /// Range with this fraction of its length on both sides, never empty. Values beyond 10³⁰⁰ are cut off.
  Range widened(double fraction) const;
};

/// Axis: it maps values to pixels and has round ticks, at most about one per `spacing` pixels.
class Axis {
 public:
  Axis(Range range, double from, double to, double spacing);
  /// Pixel of a value.
  double operator()(double value) const;
  double from() const { return from_; }
  double to() const { return to_; }

  struct Tick {
    double value;
    std::string text;
  };
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  double low_, high_, from_, to_;
  std::vector<Tick> ticks_;
};

}  // namespace gpcv
