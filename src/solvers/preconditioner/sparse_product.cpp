// The product of a sparse row, once per instruction set. Without wide vectors, applying the local inverse took a
// quarter of a training of 10 000 rows.
#include "solvers/preconditioner/sparse_product.hpp"

#include "backends/simd/tiles/enabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/preconditioner/sparse_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpcv {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;

#if HWY_MAX_BYTES >= 32
/// The columns after the last whole vector: a vector of which the processor reads and writes a part.
struct Tail {
  explicit Tail(std::size_t count) : mask(hn::FirstN(Tag(), count)), sum(hn::Zero(Tag())) {}
  HWY_INLINE void add(hn::Vec<Tag> value, const double* from) {
    sum = hn::MulAdd(value, hn::MaskedLoad(mask, Tag(), from), sum);
  }
  HWY_INLINE void store(double* out) const { hn::BlendedStore(sum, mask, Tag(), out); }

  hn::Mask<Tag> mask;
  hn::Vec<Tag> sum;
};
#else
/// The one column after the last vector of two. Others would be read beyond the end of the data.
struct Tail {
  using One = hn::CappedTag<double, 1>;
  explicit Tail(std::size_t) : sum(hn::Zero(One())) {}
  HWY_INLINE void add(hn::Vec<Tag> value, const double* from) {
    sum = hn::MulAdd(hn::Set(One(), hn::GetLane(value)), hn::LoadU(One(), from), sum);
  }
  HWY_INLINE void store(double* out) const { hn::StoreU(sum, One(), out); }

  hn::Vec<One> sum;
};
#endif

/// kFull vectors of columns, and `tail` more columns if kTail.
template <std::size_t kFull, bool kTail>
HWY_INLINE void multiply_block(const SparseRow& row, const double* v, std::size_t stride, std::size_t tail,
                               double* out) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Tag> sum[kFull + 1];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kFull; ++i) sum[i] = hn::Zero(d);
  Tail rest(tail);
  for (std::size_t k = 0; k < row.count; ++k) {
    const auto value = hn::Set(d, static_cast<double>(row.values[k]));
    const double* from = v + static_cast<std::size_t>(row.columns[k]) * stride;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kFull; ++i) sum[i] = hn::MulAdd(value, hn::LoadU(d, from + i * lanes), sum[i]);
    if constexpr (kTail) rest.add(value, from + kFull * lanes);
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kFull; ++i) hn::StoreU(sum[i], d, out + i * lanes);
  if constexpr (kTail) rest.store(out + kFull * lanes);
}

template <std::size_t kFull>
HWY_INLINE void multiply_end(const SparseRow& row, const double* v, std::size_t stride, std::size_t tail, double* out) {
  if (tail > 0) return multiply_block<kFull, true>(row, v, stride, tail, out);  // never where vectors have one lane
  if constexpr (kFull > 0) multiply_block<kFull, false>(row, v, stride, 0, out);
}

void multiply_on_target(const SparseRow& row, const double* v, std::size_t stride, std::size_t count, double* out) {
  const std::size_t lanes = hn::Lanes(Tag());
  for (; count >= 4 * lanes; count -= 4 * lanes) {
    multiply_block<4, false>(row, v, stride, 0, out);
    v += 4 * lanes;
    out += 4 * lanes;
  }
  const std::size_t tail = count % lanes;
  switch (count / lanes) {
    case 3:
      return multiply_end<3>(row, v, stride, tail, out);
    case 2:
      return multiply_end<2>(row, v, stride, tail, out);
    case 1:
      return multiply_end<1>(row, v, stride, tail, out);
    default:
      return multiply_end<0>(row, v, stride, tail, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpcv {

HWY_EXPORT(multiply_on_target);

void multiply_row(const SparseRow& row, const double* v, std::size_t stride, std::size_t count, double* out) {
  HWY_DYNAMIC_DISPATCH(multiply_on_target)(row, v, stride, count, out);
}

}  // namespace gpcv
#endif
