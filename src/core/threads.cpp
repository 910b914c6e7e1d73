#include "core/threads.hpp"

#include <omp.h>

#include <algorithm>

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

BlasThreads::BlasThreads(int threads) : previous_(openblas_get_num_threads()) { openblas_set_num_threads(threads); }
BlasThreads::~BlasThreads() { openblas_set_num_threads(previous_); }

}  // namespace gpcv
