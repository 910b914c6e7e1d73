#include "known_processor.hpp"

#include <unistd.h>

#include <cstdlib>

#include "gpcv/machine.hpp"

namespace gpcv::command {
namespace {

/// What this processor can do, by the name of one that OpenBLAS knows; null for one without AVX2.
const char* capable_as() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

}  // namespace

void tell_blas_the_processor(char** argv) {
  constexpr const char* setting = "OPENBLAS_CORETYPE";
  // The last of those it tries; it has SSE3.
  if (blas_name() != "Prescott" || std::getenv(setting) != nullptr) return;
  const char* name = capable_as();
  if (name == nullptr || setenv(setting, name, 1) != 0) return;
  execv("/proc/self/exe", argv);  // returns only where that fails; then it is slow and right
}

}  // namespace gpcv::command
