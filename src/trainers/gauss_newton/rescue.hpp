/// Ways to evaluate starts that cannot be evaluated as they are.
#pragma once

#include <array>
#include <string_view>

#include "gpcv/compute.hpp"

namespace gpcv {

/// One way to make the systems of a start solvable.
struct Rescue {
  double rank_factor = 1;     ///< factor of the preconditioner's rank
  bool in_double = false;     ///< whether products are computed in double
  bool factorise = false;     ///< whether the matrix is stored and factorised
  double noise_factor = 1;    ///< factor of the noise of the starts
  std::string_view in_words;  ///< what was done, for the message
};

/// The ways in the order in which they are tried: first those that change how θ is evaluated, then those that change θ.
constexpr std::array<Rescue, 5> rescues{{
    {.rank_factor = 2, .in_double = true, .in_words = "with a larger preconditioner in double precision"},
    {.in_double = true, .factorise = true, .in_words = "by factorising"},
    {.rank_factor = 2, .in_double = true, .noise_factor = 10, .in_words = "with ten times its noise"},
    {.rank_factor = 2, .in_double = true, .noise_factor = 100, .in_words = "with a hundred times its noise"},
    {.in_double = true, .noise_factor = 1e4, .in_words = "with ten thousand times its noise"},
}};

}  // namespace gpcv
