#include "core/threads.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>
#include <vector>

#include "core/blas_library.hpp"
#include "core/control_groups.hpp"

namespace gpcv {

namespace {

/// Processors that a control group grants: the time that it may use in a period, over the period.
double processors_of(const std::filesystem::path& group, int version) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  double quota = 0, period = 0;
  if (version == 1) {
    std::ifstream(group / "cpu.cfs_quota_us") >> quota;  // -1 without a limit
    std::ifstream(group / "cpu.cfs_period_us") >> period;
  } else {
    std::ifstream(group / "cpu.max") >> quota >> period;  // "max 100000" without a limit
  }
  return quota > 0 && period > 0 ? quota / period : unlimited;
}

}  // namespace

int available_threads() {
  // OMP_NUM_THREADS, and what the calling program has told OpenMP, is a limit that the user has set.
  const int threads = std::min(omp_get_num_procs(), omp_get_max_threads());
  const double granted = least_over_groups({"cpu", "sys/fs/cgroup/cpu"}, processors_of);
  return std::max(1, static_cast<int>(std::min<double>(threads, std::ceil(granted))));
}

int worthwhile_threads(int requested, double operations) {
  constexpr double operations_per_thread = 1e6;
  return std::clamp(static_cast<int>(std::min(operations / operations_per_thread, 1e6)), 1, std::max(1, requested));
}

namespace {

/// The scopes that are alive in any thread, oldest first, and the numbers of threads before the first of them.
struct Scopes {
  std::mutex mutex;
  std::list<int> alive;
  std::vector<int> original;
};
Scopes& scopes() {
  static Scopes all;
  return all;
}

}  // namespace

BlasThreads::BlasThreads(int threads) {
  const std::scoped_lock lock(scopes().mutex);
  if (scopes().alive.empty()) scopes().original = blas_threads();
  own_ = scopes().alive.insert(scopes().alive.end(), threads);
  set_blas_threads(threads);
}

BlasThreads::~BlasThreads() {
  const std::scoped_lock lock(scopes().mutex);
  scopes().alive.erase(own_);
  if (scopes().alive.empty()) {
    set_blas_threads(scopes().original);
  } else {
    set_blas_threads(scopes().alive.back());
  }
}

}  // namespace gpcv
