#include "solvers/preconditioner/fold_preconditioner.hpp"

#include <algorithm>

#include "backends/dense_kernel.hpp"
#include "solvers/host_space.hpp"

namespace gpcv {

FoldPreconditioner::FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads,
                                       double negligible, Index neighbours)
    : system_(system),
      rank_(std::min(rank, system.rows())),
      seed_(seed),
      threads_(threads),
      negligible_(negligible),
      neighbours_(neighbours) {
  try {
    const Space* device = system_.space(Arithmetic::fast);
    if (device != nullptr) factor_ = completed(device->low_rank(system_.parts(), rank_));
  } catch (const OutOfDeviceMemory&) {
    returned_to_host_ = true;
  }
  if (!factor_) factor_ = on_host();
}

std::shared_ptr<const LowRankFactor> FoldPreconditioner::completed(std::unique_ptr<LowRankFactor> factor) const {
  if (!factor) return nullptr;
  const double enough = negligible_ * system_.noise().sum();
  const double left = draw_columns(*factor, kernel_diagonal(system_.program(), system_.points()), rank_, seed_, enough,
                                   system_.parts().stop);
  factor->complete(left > enough ? neighbours_ : 0);
  return factor;
}

std::shared_ptr<const LowRankFactor> FoldPreconditioner::on_host() const {
  return completed(HostSpace(system_, Arithmetic::fast, threads_).low_rank(system_.parts(), rank_));
}

void FoldPreconditioner::apply(ConstView r, std::span<const int> system, View z) const {
  const std::shared_ptr<const LowRankFactor> used = factor();
  try {
    return used->apply(r, system, z);
  } catch (const OutOfDeviceMemory&) {
    const std::scoped_lock lock(mutex_);
    if (factor_ == used) {
      factor_ = on_host();
      returned_to_host_ = true;
    }
  }
  factor()->apply(r, system, z);
}

std::shared_ptr<const LowRankFactor> FoldPreconditioner::factor() const {
  const std::scoped_lock lock(mutex_);
  return factor_;
}

bool FoldPreconditioner::returned_to_host() const {
  const std::scoped_lock lock(mutex_);
  return returned_to_host_;
}

}  // namespace gpcv
