#include "solvers/preconditioner/fold_preconditioner.hpp"

#include <algorithm>

#include "backends/dense_kernel.hpp"
#include "solvers/preconditioner/host_factor.hpp"
#include "solvers/preconditioner/pivoted_cholesky.hpp"

namespace gpcv {
namespace {

/// Numbers of F below which asking other ranks takes longer than having all of it.
constexpr double fewest_shared_numbers = 200'000;

const Communicator* worthwhile_ranks(const FoldSystem& system, Index rank) {
  const double numbers = static_cast<double>(system.rows()) * static_cast<double>(rank);
  return numbers < fewest_shared_numbers ? nullptr : system.communicator();
}

}  // namespace

FoldPreconditioner::FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads,
                                       double negligible) {
  rank = std::min(rank, system.rows());
  const auto make = [&] {
    draw_columns(*factor_, kernel_diagonal(system.program(), system.points()), rank, seed,
                 negligible * system.noise().sum());
    factor_->complete();
  };
  factor_ = system.low_rank(rank);
  if (factor_) {
    try {
      make();
      return;
    } catch (const OutOfDeviceMemory&) {
      factor_.reset();
    }
  }
  factor_ = std::make_unique<HostFactor>(system.parts(), rank, threads, worthwhile_ranks(system, rank));
  make();
}

}  // namespace gpcv
