/// Random numbers that are the same on every platform for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace gpcv {

/// The standard library fixes its engines but not its distributions, so the distributions are ours.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// In [0, 1).
  double uniform();
  double uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }
  /// Standard normal.
  double normal();
  /// In {0, …, n − 1}, without bias.
  std::uint64_t below(std::uint64_t n);
  /// 0 … n − 1 in random order.
  std::vector<std::int64_t> permutation(std::int64_t n);

 private:
  std::mt19937_64 engine_;
  bool has_spare_ = false;
  double spare_ = 0;
};

}  // namespace gpcv
