#include "core/threads.hpp"

#include <omp.h>

extern "C" {
int openblas_get_num_threads();
void openblas_set_num_threads(int threads);
}

namespace gpcv {

int available_threads() { return omp_get_num_procs(); }

BlasThreads::BlasThreads(int threads) : previous_(openblas_get_num_threads()) { openblas_set_num_threads(threads); }
BlasThreads::~BlasThreads() { openblas_set_num_threads(previous_); }

}  // namespace gpcv
