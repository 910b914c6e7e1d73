/// Sums whose bits do not depend on the order of the summands, nor on who adds which of them.
#pragma once

#include <cmath>
#include <cstddef>

namespace gpcv {

/// A summand x is cut into h = (x + M) − M, its multiple of ulp(M), and l = ((x − h) + m) − m, a multiple of ulp(m) of
/// what is left. With M = 3·2^e and Σ|x| ≤ 2^e, sums of the h need no rounding, and up to 2^24 summands' l neither:
/// integers in disguise. h + l has lost less than 2^(e−79) of x; h alone, enough for single precision, 2^(e−52).
/// A bound that does not hold costs nothing but the independence of the order.
class ExactSum {
 public:
  /// bound: of Σ|x|
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
