/// Sums whose bits depend neither on the order of the summands nor on how they are shared among threads or ranks.
#pragma once

#include <cmath>
#include <cstddef>

namespace gpcv {

/// A summand x is split into h = (x + M) − M, the nearest multiple of ulp(M), and l = ((x − h) + m) − m, the nearest
/// multiple of ulp(m) to the remainder. With M = 3·2^e and Σ|x| ≤ 2^e, the sums of the h and of up to 2^24 of the l are
/// exact, because they are sums of integers times a power of two. The error of h + l is below 2^(e−79); that of h
/// alone, which suffices for single precision, is below 2^(e−52). If the bound does not hold, the sum is still correct
/// to rounding but depends on the order.
class ExactSum {
 public:
  /// The bound is an upper bound of Σ|x|.
  explicit ExactSum(double bound) {
    if (!(bound > 0) || !std::isfinite(bound)) return;  // nothing to add, or nothing to save
    int exponent = 0;
    std::frexp(bound, &exponent);  // bound < 2^exponent
    coarse_ = std::ldexp(3.0, exponent);
    fine_ = std::ldexp(3.0, exponent - 28);
  }

  double coarse() const { return coarse_; }  ///< M
  double fine() const { return fine_; }      ///< m

  /// sum[i] += x[i]
  template <class Number>
  void add(const Number* x, std::size_t count, double* sum) const {
    const double m = coarse_;
    for (std::size_t i = 0; i < count; ++i) sum[i] += (static_cast<double>(x[i]) + m) - m;
  }
  /// sum[i] + rest[i] += x[i]
  template <class Number>
  void add(const Number* x, std::size_t count, double* sum, double* rest) const {
    const double m = coarse_, f = fine_;
    for (std::size_t i = 0; i < count; ++i) {
      const double value = static_cast<double>(x[i]), high = (value + m) - m;
      sum[i] += high;
      rest[i] += ((value - high) + f) - f;
    }
  }

 private:
  double coarse_ = 0, fine_ = 0;
};

}  // namespace gpcv
