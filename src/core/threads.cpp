#include "core/threads.hpp"

#include <omp.h>

#include <algorithm>
#include <mutex>

extern "C" {
int openblas_get_num_threads();
void openblas_set_num_threads(int threads);
char* openblas_get_corename();
}

namespace gpcv {

int available_threads() { return omp_get_num_procs(); }

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
