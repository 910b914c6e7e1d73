/// The kernels among which cross-validation chooses.
#pragma once

#include <string>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// Kernel that takes part in the choice.
struct KernelCandidate {
  std::string name;  ///< short name, by which a user restricts the choice
  std::string text;  ///< text of the kernel, which a user may type back
  int starts = 1;    ///< starts that take part: the error of a sum of parts has many minima
};

/// The candidates for the inputs x, standardised; `names` restricts them, and an empty list does not. One-input sums
/// are left out where there are more than 20 inputs, and seasonal kernels where there are several or no period was
/// found. Throws InputError for an unknown name, and where no candidate is left.   periods: of the only input
std::vector<KernelCandidate> kernel_candidates(ConstView x, const std::vector<double>& periods,
                                               const std::vector<std::string>& names);

}  // namespace gpcv
