#include "trainers/start/periodogram.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace gpcv {
namespace {

/// Rows and frequencies that are looked at; their product limits the time.
constexpr Index periodogram_rows = 2000, most_frequencies = 20000;
/// Frequencies per width of a peak, which is one over the range.
constexpr double oversampling = 5;
/// A peak counts where it explains more of the rest than noise does with this small a probability at any frequency.
constexpr double false_alarm = 0.01;
/// Degree of the polynomial that stands for the trend.
constexpr Index trend_degree = 3;

/// y without its trend.
Vector without_trend(const Vector& t, const Vector& y) {
  Matrix powers(t.size(), trend_degree + 1);
  for (Index j = 0; j <= trend_degree; ++j) powers.col(j) = t.array().pow(static_cast<double>(j));
  return y - powers * powers.colPivHouseholderQr().solve(y);
}

/// The share bᵀM⁻¹b / Σr² that cos ωx and sin ωx explain, with b the sums of their products with r and M those of their
/// products with each other.
double explained(const Vector& x, const Vector& r, double omega) {
  double s = 0, c = 0, cc = 0, cs = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double ci = std::cos(omega * x(i)), si = std::sin(omega * x(i));
    c += r(i) * ci;
    s += r(i) * si;
    cc += ci * ci;
    cs += ci * si;
  }
  const auto n = static_cast<double>(x.size());
  const double ss = n - cc, determinant = cc * ss - cs * cs;
  if (!(determinant > 1e-9 * n * n)) return 0;
  return (ss * c * c - 2 * cs * c * s + cc * s * s) / (determinant * r.squaredNorm());
}

/// The highest frequency to look at: half a cycle between neighbours. Of evenly spaced rows a higher one is the alias
/// of a lower one; gaps of different lengths tell them apart, so that the short ones count, up to two cycles per row.
double highest_frequency(const Vector& x, double width) {
  constexpr std::size_t short_gaps = 10;  // a tenth
  constexpr double most_cycles_per_row = 2;
  Vector sorted = x;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> gaps;
  for (Index i = 1; i < sorted.size(); ++i) {
    if (sorted(i) > sorted(i - 1)) gaps.push_back(sorted(i) - sorted(i - 1));
  }
  const auto at = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / short_gaps);
  std::nth_element(gaps.begin(), at, gaps.end());
  const double most = std::min(most_cycles_per_row * static_cast<double>(x.size()),
                               static_cast<double>(most_frequencies) / oversampling);
  return std::min(0.5 / *at, most * width);
}

}  // namespace

std::vector<double> likely_periods(ConstVectorView column, ConstVectorView target, std::size_t most) {
  const Index step = std::max<Index>(1, (column.size() + periodogram_rows - 1) / periodogram_rows),
              n = column.size() / step;
  Vector x(n), y(n);
  // Rows of a step apart could alias a period; a row within each step is drawn by a fixed rule.
  for (Index i = 0; i < n; ++i) {
    const Index row = i * step + (i * 7919) % step;
    x(i) = column(row);
    y(i) = target(row);
  }
  if (n < 20) return {};
  const double range = x.maxCoeff() - x.minCoeff();
  if (!(range > 0)) return {};
  const Vector r = without_trend((2 * (x.array() - x.minCoeff()) / range - 1).matrix(), y);
  if (!(r.squaredNorm() > 1e-20 * y.squaredNorm())) return {};

  const double width = 1 / range;
  const double highest = highest_frequency(x, width);
  const auto count = static_cast<Index>(oversampling * (highest - 2 * width) / width);
  if (count < 3) return {};
  Vector power(count);
  const auto frequency = [&](double i) { return (2 + i / oversampling) * width; };
  for (Index i = 0; i < count; ++i) {
    power(i) = explained(x, r, 2 * std::numbers::pi * frequency(static_cast<double>(i)));
  }
  // Of noise, P(share > p) = (1 − p)^((n − 3)/2) at one frequency, and there are count/oversampling independent ones.
  const double alone = false_alarm * oversampling / static_cast<double>(count);
  const double least = 1 - std::pow(alone, 2.0 / static_cast<double>(n - 3));
  std::vector<Index> peaks;
  for (Index i = 1; i + 1 < count; ++i) {
    if (power(i) >= power(i - 1) && power(i) > power(i + 1) && power(i) > least) peaks.push_back(i);
  }
  std::stable_sort(peaks.begin(), peaks.end(), [&](Index a, Index b) { return power(a) > power(b); });
  std::vector<double> periods;
  for (const Index i : peaks) {
    // The vertex of the parabola through three points.
    const double curvature = power(i - 1) - 2 * power(i) + power(i + 1);
    const double shift = curvature < 0 ? 0.5 * (power(i - 1) - power(i + 1)) / curvature : 0;
    const double period = 1 / frequency(static_cast<double>(i) + std::clamp(shift, -0.5, 0.5));
    // Side lobes of a stronger peak are within a few widths of it.
    const bool beside =
        std::any_of(periods.begin(), periods.end(), [&](double p) { return std::abs(1 / p - 1 / period) < 3 * width; });
    if (!beside) periods.push_back(period);
    if (periods.size() == most) break;
  }
  return periods;
}

}  // namespace gpcv
