#include "backends/simd/dense.hpp"

#include "backends/simd/block_driver.hpp"

namespace gpcv::simd {

void assemble(const KernelProgram& program, ConstView x1, ConstView x2, View k, int threads) {
  // A tile is contiguous along its column points but k along its rows, so X1 becomes the column points.
  BlockDriver<double>(program, x2, x1, false, {threads}).assemble_transposed(k);
}

void contract_dense(const KernelProgram& program, ConstView x, ConstView w, VectorView g, int threads) {
  BlockDriver<double>(program, x, x, true, {threads}).contract_dense(w, g);
}

}  // namespace gpcv::simd
