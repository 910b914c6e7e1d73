/// Products of a low-rank factor with few columns, in the instruction set of the processor.
#pragma once

#include <cstddef>

namespace gpcv {

/// Rows of a factor F in single or double precision, one after another.
template <class T>
struct FactorRows {
  const T* data = nullptr;
  std::size_t rows = 0;
  std::size_t rank = 0;  ///< columns with their padding: a multiple of `factor_padding`
};

/// Columns of F, and numbers of a column of t, are padded to multiples of this with zeros.
constexpr std::size_t factor_padding = 16;

/// Columns of doubles: element i of column c is data[i + c · stride].
struct DoubleColumns {
  double* data = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
};

/// t += Fᵀ z. The bits of a column do not depend on the other columns, here and below.
void add_transposed_product(const FactorRows<float>& f, const DoubleColumns& z, const DoubleColumns& t);
void add_transposed_product(const FactorRows<double>& f, const DoubleColumns& z, const DoubleColumns& t);
/// y = F t
void factor_product(const FactorRows<float>& f, const DoubleColumns& t, const DoubleColumns& y);
void factor_product(const FactorRows<double>& f, const DoubleColumns& t, const DoubleColumns& y);

}  // namespace gpcv
