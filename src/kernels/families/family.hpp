/// A kernel family: its name, its parameters, its value and its derivatives.
#pragma once

#include <span>
#include <string_view>

#include "gpcv/kernel_program.hpp"

namespace gpcv {

/// One pair of points and the parameters of one base kernel.
struct LeafArguments {
  int columns = 0;
  const double* delta = nullptr;    ///< x_c − x'_c
  const double* product = nullptr;  ///< x_c · x'_c
  const double* length = nullptr;   ///< l_c; 1 for a column without length scale
  double variance = 1;              ///< s²
  double period = 1;                ///< p
  double shape = 1;                 ///< α
};

/// The derivative ∂k/∂log p for each parameter p.
struct LeafGradient {
  double variance = 0;
  double* length = nullptr;  ///< one per column
  double period = 0;
  double shape = 0;
};

/// Whether a family has length scales: never, always, or only with `ard`.
enum class LengthScale { none, always, only_ard };

/// One family of the grammar.
struct Family {
  std::string_view name;
  Op op;
  LengthScale length = LengthScale::always;
  bool period = false;
  bool shape = false;
  double (*value)(const LeafArguments&);
  /// Returns k and sets every field of the gradient.
  double (*gradient)(const LeafArguments&, LeafGradient&);
};

extern const Family se_family, lp_family, periodic_family, matern12_family, matern32_family, matern52_family, rq_family,
    linear_family, constant_family;

/// All families of the grammar, in the order of the documentation.
std::span<const Family* const> families();
const Family& family_of(Op op);

/// r² = Σ_c (x_c − x'_c)² / l_c²
inline double squared_distance(const LeafArguments& a) {
  double sum = 0;
  for (int c = 0; c < a.columns; ++c) {
    const double scaled = a.delta[c] / a.length[c];
    sum += scaled * scaled;
  }
  return sum;
}

/// For k = s² h(r²): ∂k/∂log l_c = −2 q_c · ∂k/∂(r²), q_c = (x_c − x'_c)²/l_c².
/// `slope` is ∂k/∂(r²). The derivative is 0 at distance 0, and also where the slope underflowed to 0 while the distance
/// overflowed.
inline void length_gradient(const LeafArguments& a, double slope, double* gradient) {
  for (int c = 0; c < a.columns; ++c) {
    const double scaled = a.delta[c] / a.length[c];
    gradient[c] = scaled == 0 || slope == 0 ? 0 : -2 * scaled * scaled * slope;
  }
}

}  // namespace gpcv
