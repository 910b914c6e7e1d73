#include "backends/grid/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpcv {
namespace {

/// The number of places per point above which a lattice is not used.
constexpr double most_places_per_point = 16;
/// Rounding of a coordinate relative to the largest, and relative to the mean gap: the shift of the inputs by their
/// mean leaves errors of a size that the shifted inputs no longer show. Kernels are smooth on the scale of such a
/// fraction.
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon(), part_of_gap = 1e-10;

/// Greatest common divisor of two lengths that are multiples of a third, up to `error`.
double common_divisor(double a, double b, double error) {
  while (b > error) {
    const double rest = std::abs(std::remainder(a, b));
    a = b;
    b = rest;
  }
  return a;
}

/// The points of one set in increasing order.
std::vector<double> sorted(ConstVectorView x) {
  std::vector<double> values(x.begin(), x.end());
  if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
  return values;
}

/// The places of x on the grid from `origin`; empty if a point lies beside the grid.
std::vector<Index> places_of(ConstVectorView x, double origin, double spacing, double error) {
  std::vector<Index> places;
  places.reserve(static_cast<std::size_t>(x.size()));
  for (const double value : x) {
    const double place = std::round((value - origin) / spacing);
    if (!(std::abs(value - (origin + spacing * place)) <= 4 * error)) return {};
    places.push_back(static_cast<Index>(place));
  }
  return places;
}

}  // namespace

std::optional<Lattice> find_lattice(ConstVectorView x1, ConstVectorView x2) {
  if (x1.size() == 0 || x2.size() == 0) return std::nullopt;
  const double largest = std::max(x1.cwiseAbs().maxCoeff(), x2.cwiseAbs().maxCoeff());
  const double points = static_cast<double>(x1.size() + x2.size());
  const double origin1 = x1.minCoeff(), origin2 = x2.minCoeff();
  const double range = std::max(x1.maxCoeff() - origin1, x2.maxCoeff() - origin2);
  const double error = std::max(rounding * largest, part_of_gap * range / points);
  // Gaps carry the rounding of two coordinates, and remainders of remainders carry more of it: a spacing must stand
  // out.
  const double negligible = 1e3 * error;
  double spacing = 0;
  for (const ConstVectorView& x : {x1, x2}) {
    const std::vector<double> values = sorted(x);
    for (std::size_t i = 1; i < values.size(); ++i) {
      const double gap = values[i] - values[i - 1];
      if (gap <= error) continue;
      spacing = common_divisor(std::max(spacing, gap), std::min(spacing, gap), negligible);
      if (spacing <= negligible || range > most_places_per_point * points * spacing) return std::nullopt;
    }
  }
  if (spacing == 0) spacing = 1;  // every set is a single place
  // The whole range determines the spacing better than one gap does.
  if (range > 0) spacing = range / std::round(range / spacing);
  Lattice lattice{spacing, origin1 - origin2, places_of(x1, origin1, spacing, error),
                  places_of(x2, origin2, spacing, error)};
  if (lattice.places1.empty() || lattice.places2.empty()) return std::nullopt;
  lattice.length1 = *std::max_element(lattice.places1.begin(), lattice.places1.end()) + 1;
  lattice.length2 = *std::max_element(lattice.places2.begin(), lattice.places2.end()) + 1;
  return lattice;
}

}  // namespace gpcv
