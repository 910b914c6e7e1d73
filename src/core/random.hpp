/// Random numbers that are the same on every platform for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace gpcv {

/// The C++ standard specifies the engines bit by bit but not the distributions, so this class implements its own.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A uniform number in [0, 1).
  double uniform();
  double uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }
  /// A standard normal number.
  double normal();
  /// A uniform integer in {0, …, n − 1}, without bias.
  std::uint64_t below(std::uint64_t n);
  /// The integers 0 … n − 1 in random order.
  std::vector<std::int64_t> permutation(std::int64_t n);

 private:
  std::mt19937_64 engine_;
  bool has_spare_ = false;
  double spare_ = 0;
};

}  // namespace gpcv
