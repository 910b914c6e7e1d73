#include "solvers/host_space.hpp"

#include "solvers/host_vectors.hpp"
#include "solvers/preconditioner/host_factor.hpp"

namespace gpcv {
namespace {

/// The number of entries of F below which communication with other ranks costs more than storing all of F on each.
constexpr double fewest_shared_numbers = 200'000;

}  // namespace

std::unique_ptr<LowRankFactor> HostSpace::low_rank(const FoldParts& parts, Index most) const {
  FoldParts shared = parts;
  // Pieces of rows are no place where all ranks ask together.
  if (parts.communicator != nullptr) shared.stop = {};
  if (static_cast<double>(parts.x.rows()) * static_cast<double>(most) < fewest_shared_numbers) {
    shared.communicator = nullptr;
  }
  return std::make_unique<HostFactor>(shared, most, threads_);
}

std::unique_ptr<CgVectors> HostSpace::vectors(const Preconditioner* preconditioner, Index /*columns*/) const {
  return std::make_unique<HostVectors>(system_, preconditioner, arithmetic_, threads_);
}

}  // namespace gpcv
