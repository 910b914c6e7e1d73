// The tile kernels in double precision, once per instruction set.
#include "backends/simd/tiles/enabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/tiles/tile_kernels_double.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/simd/tiles/gradient_kernels-inl.h"
#include "backends/simd/tiles/tile_kernels-inl.h"
#include "backends/simd/tiles/tile_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

using Real = double;

void apply_real(const ApplyJob<Real>& job, const Block& block, const Workspace<Real>& work) {
  apply_block_on_target(job, block, work);
}
void derivatives_real(const GradientJob<Real>& job, const Block& block, const Workspace<Real>& work) {
  derivative_block_on_target(job, block, work);
}
void contract_real(const GradientJob<Real>& job, const Block& block, const Workspace<Real>& work) {
  contract_block_on_target(job, block, work);
}
void copy_real(const ApplyJob<Real>& job, const Block& block, const Workspace<Real>& work, Real* out,
               std::size_t out_stride) {
  copy_block_on_target(job, block, work, out, out_stride);
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpcv::simd {

HWY_EXPORT(apply_real);
HWY_EXPORT(derivatives_real);
HWY_EXPORT(contract_real);
HWY_EXPORT(copy_real);

void apply_block(const ApplyJob<double>& job, const Block& block, const Workspace<double>& work) {
  HWY_DYNAMIC_DISPATCH(apply_real)(job, block, work);
}
void derivative_block(const GradientJob<double>& job, const Block& block, const Workspace<double>& work) {
  HWY_DYNAMIC_DISPATCH(derivatives_real)(job, block, work);
}
void contract_block(const GradientJob<double>& job, const Block& block, const Workspace<double>& work) {
  HWY_DYNAMIC_DISPATCH(contract_real)(job, block, work);
}
void copy_block(const ApplyJob<double>& job, const Block& block, const Workspace<double>& work, double* out,
                std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(copy_real)(job, block, work, out, out_stride);
}

}  // namespace gpcv::simd
#endif
