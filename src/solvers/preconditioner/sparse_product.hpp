/// The product of one sparse row with dense columns, in the instruction set of the processor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpcv {

/// Entries of a sparse row: values in single precision, and their columns.
struct SparseRow {
  const float* values = nullptr;
  const std::int32_t* columns = nullptr;
  std::size_t count = 0;
};

/// out_c = Σ_k a_k v_c(j_k) for `count` columns c. Element j of column c is v[j · stride + c]. The bits of a column do
/// not depend on the other columns.
void multiply_row(const SparseRow& row, const double* v, std::size_t stride, std::size_t count, double* out);

}  // namespace gpcv
