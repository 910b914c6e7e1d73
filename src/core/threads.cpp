#include "core/threads.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>

#include "core/control_groups.hpp"

extern "C" {
int openblas_get_num_threads();
void openblas_set_num_threads(int threads);
char* openblas_get_corename();
}

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

std::string blas_name() { return openblas_get_corename(); }

namespace {

/// The scopes that are alive in any thread, oldest first, and the number of threads before the first of them.
struct Scopes {
  std::mutex mutex;
  std::list<int> alive;
  int original = 1;
};
Scopes& scopes() {
  static Scopes all;
  return all;
}

void set_blas_threads(int threads) {
  if (openblas_get_num_threads() != threads) openblas_set_num_threads(threads);
}

}  // namespace

BlasThreads::BlasThreads(int threads) {
  const std::scoped_lock lock(scopes().mutex);
  if (scopes().alive.empty()) scopes().original = current();
  own_ = scopes().alive.insert(scopes().alive.end(), threads);
  set_blas_threads(threads);
}

BlasThreads::~BlasThreads() {
  const std::scoped_lock lock(scopes().mutex);
  scopes().alive.erase(own_);
  set_blas_threads(scopes().alive.empty() ? scopes().original : scopes().alive.back());
}

int BlasThreads::current() { return openblas_get_num_threads(); }

}  // namespace gpcv
