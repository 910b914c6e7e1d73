#include "operators/points.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gpcv/error.hpp"

namespace gpcv {

void require_usable(const KernelProgram& program, ConstView x) {
  if (x.cols() != program.inputs) {
    throw InputError(fmt::format("the kernel is for {} input columns, the data have {}", program.inputs, x.cols()));
  }
  if (!x.allFinite()) throw InputError("the inputs contain NaN or infinite values");
  for (double value : program.values) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw InputError(fmt::format("kernel parameters must be positive and finite, not {}", value));
    }
  }
}

}  // namespace gpcv
