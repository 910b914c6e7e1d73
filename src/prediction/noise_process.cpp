#include "gpcv/noise_process.hpp"

#include <algorithm>

#include "backends/dense_kernel.hpp"

namespace gpcv {

std::string_view name_of(NoiseModel model) {
  switch (model) {
    case NoiseModel::learned:
      return "learned";
    case NoiseModel::automatic:
      return "auto";
    case NoiseModel::constant:
      break;
  }
  return "constant";
}

Vector NoiseProcess::log_factor(ConstView x) const {
  Vector out = Vector::Constant(x.rows(), constant);
  if (is_constant()) return out;
  constexpr Index batch = 4096;
  const KernelProgram program = kernel.lower();
  for (Index first = 0; first < x.rows(); first += batch) {
    const Index count = std::min(batch, x.rows() - first);
    out.segment(first, count) += dense_kernel(program, x.middleRows(first, count), points, 1) * weights;
  }
  return out;
}

std::vector<Index> NoiseProcess::inputs() const {
  std::vector<Index> out;
  if (is_constant()) return out;
  for (const Parameter& p : kernel.parameters()) {
    if (p.role == Role::length_scale) out.insert(out.end(), p.columns.begin(), p.columns.end());
  }
  return out;
}

}  // namespace gpcv
