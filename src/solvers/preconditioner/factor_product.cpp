// Products with a low-rank factor, once per instruction set. BLAS packs the factor for every product, and with few
// columns that takes as long as the product: 37 % of a training of 36 000 rows with rank 1000.
#include "solvers/preconditioner/factor_product.hpp"

#include "backends/simd/tiles/enabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/preconditioner/factor_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpcv {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// At most 16 lanes, so that the padding of F is whole vectors.
using Tag = hn::CappedTag<double, factor_padding>;
using Vector = hn::Vec<Tag>;

/// Rows and columns of a register block: 4 × 4 sums in the 32 registers of AVX-512, 4 × 2 in the 16 of others.
constexpr std::size_t kFactorRows = 4;
constexpr std::size_t kFactorColumns = HWY_MAX_BYTES >= 64 ? 4 : 2;

HWY_INLINE Vector widened(const float* f) {
  const Tag d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Tag>(), f));
}
HWY_INLINE Vector widened(const double* f) { return hn::LoadU(Tag(), f); }

/// t(:, c) += Σ_r f(r, :) z(r, c) for kRows rows and kColumns columns.
template <std::size_t kRows, std::size_t kColumns, class T>
HWY_INLINE void add_rows(const T* f, std::size_t rank, const double* z, std::size_t z_stride, double* t,
                         std::size_t t_stride) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vector weight[kRows][kColumns];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t c = 0; c < kColumns; ++c) weight[r][c] = hn::Set(d, z[r + c * z_stride]);
  }
  for (std::size_t j = 0; j < rank; j += lanes) {
    Vector row[kRows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRows; ++r) row[r] = widened(f + r * rank + j);
#pragma GCC unroll 4
    for (std::size_t c = 0; c < kColumns; ++c) {
      double* to = t + c * t_stride + j;
      Vector sum = hn::LoadU(d, to);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) sum = hn::MulAdd(row[r], weight[r][c], sum);
      hn::StoreU(sum, d, to);
    }
  }
}

/// y(r, c) = Σ_j f(r, j) t(j, c) for kRows rows and kColumns columns.
template <std::size_t kRows, std::size_t kColumns, class T>
HWY_INLINE void dot_rows(const T* f, std::size_t rank, const double* t, std::size_t t_stride, double* y,
                         std::size_t y_stride) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vector sum[kRows][kColumns];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t c = 0; c < kColumns; ++c) sum[r][c] = hn::Zero(d);
  }
  for (std::size_t j = 0; j < rank; j += lanes) {
    Vector of[kColumns];
#pragma GCC unroll 4
    for (std::size_t c = 0; c < kColumns; ++c) of[c] = hn::LoadU(d, t + c * t_stride + j);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector row = widened(f + r * rank + j);
#pragma GCC unroll 4
      for (std::size_t c = 0; c < kColumns; ++c) sum[r][c] = hn::MulAdd(row, of[c], sum[r][c]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t c = 0; c < kColumns; ++c) y[r + c * y_stride] = hn::GetLane(hn::SumOfLanes(d, sum[r][c]));
  }
}

template <std::size_t kColumns, class T>
void add_columns(const FactorRows<T>& f, const double* z, std::size_t z_stride, double* t, std::size_t t_stride) {
  std::size_t i = 0;
  for (; i + kFactorRows <= f.rows; i += kFactorRows) {
    add_rows<kFactorRows, kColumns>(f.data + i * f.rank, f.rank, z + i, z_stride, t, t_stride);
  }
  for (; i < f.rows; ++i) add_rows<1, kColumns>(f.data + i * f.rank, f.rank, z + i, z_stride, t, t_stride);
}

template <std::size_t kColumns, class T>
void dot_columns(const FactorRows<T>& f, const double* t, std::size_t t_stride, double* y, std::size_t y_stride) {
  std::size_t i = 0;
  for (; i + kFactorRows <= f.rows; i += kFactorRows) {
    dot_rows<kFactorRows, kColumns>(f.data + i * f.rank, f.rank, t, t_stride, y + i, y_stride);
  }
  for (; i < f.rows; ++i) dot_rows<1, kColumns>(f.data + i * f.rank, f.rank, t, t_stride, y + i, y_stride);
}

template <class T>
void transposed_on_target(const FactorRows<T>& f, const DoubleColumns& z, const DoubleColumns& t) {
  std::size_t c = 0;
  for (; c + kFactorColumns <= z.count; c += kFactorColumns) {
    add_columns<kFactorColumns>(f, z.data + c * z.stride, z.stride, t.data + c * t.stride, t.stride);
  }
  for (; c < z.count; ++c) add_columns<1>(f, z.data + c * z.stride, z.stride, t.data + c * t.stride, t.stride);
}

template <class T>
void product_on_target(const FactorRows<T>& f, const DoubleColumns& t, const DoubleColumns& y) {
  std::size_t c = 0;
  for (; c + kFactorColumns <= t.count; c += kFactorColumns) {
    dot_columns<kFactorColumns>(f, t.data + c * t.stride, t.stride, y.data + c * y.stride, y.stride);
  }
  for (; c < t.count; ++c) dot_columns<1>(f, t.data + c * t.stride, t.stride, y.data + c * y.stride, y.stride);
}

void transposed_of_float(const FactorRows<float>& f, const DoubleColumns& z, const DoubleColumns& t) {
  transposed_on_target(f, z, t);
}
void transposed_of_double(const FactorRows<double>& f, const DoubleColumns& z, const DoubleColumns& t) {
  transposed_on_target(f, z, t);
}
void product_of_float(const FactorRows<float>& f, const DoubleColumns& t, const DoubleColumns& y) {
  product_on_target(f, t, y);
}
void product_of_double(const FactorRows<double>& f, const DoubleColumns& t, const DoubleColumns& y) {
  product_on_target(f, t, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpcv {

HWY_EXPORT(transposed_of_float);
HWY_EXPORT(transposed_of_double);
HWY_EXPORT(product_of_float);
HWY_EXPORT(product_of_double);

void add_transposed_product(const FactorRows<float>& f, const DoubleColumns& z, const DoubleColumns& t) {
  HWY_DYNAMIC_DISPATCH(transposed_of_float)(f, z, t);
}
void add_transposed_product(const FactorRows<double>& f, const DoubleColumns& z, const DoubleColumns& t) {
  HWY_DYNAMIC_DISPATCH(transposed_of_double)(f, z, t);
}
void factor_product(const FactorRows<float>& f, const DoubleColumns& t, const DoubleColumns& y) {
  HWY_DYNAMIC_DISPATCH(product_of_float)(f, t, y);
}
void factor_product(const FactorRows<double>& f, const DoubleColumns& t, const DoubleColumns& y) {
  HWY_DYNAMIC_DISPATCH(product_of_double)(f, t, y);
}

}  // namespace gpcv
#endif
