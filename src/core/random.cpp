#include "core/random.hpp"

#include <cmath>
#include <numeric>

namespace gpcv {

double Random::uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  // Marsaglia's polar method turns a uniform point of the unit disc into two normal numbers.
  double u = 0, v = 0, s = 0;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  const double factor = std::sqrt(-2 * std::log(s) / s);
  spare_ = v * factor;
  has_spare_ = true;
  return u * factor;
}

std::uint64_t Random::below(std::uint64_t n) {
  // Draws below 2^64 mod n are rejected, so that the remaining range is a multiple of n.
  const std::uint64_t limit = -n % n;  // 2^64 mod n
  std::uint64_t draw = 0;
  do {
    draw = engine_();
  } while (draw < limit);
  return draw % n;
}

std::vector<std::int64_t> Random::permutation(std::int64_t n) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

}  // namespace gpcv
