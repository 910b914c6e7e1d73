/// The summands of a model's kernel, with readable names.
#pragma once

#include "gpcv/model.hpp"

namespace gpcv {

struct NamedKernel {
  std::string name;  ///< "se", "se*lp", "lp2", "mean.linear"
  Kernel kernel;
};
std::vector<NamedKernel> named_summands(const Model& model);

}  // namespace gpcv
