#include "known_processor.hpp"

#include <unistd.h>

#include <cstdlib>

#include "gpcv/machine.hpp"

namespace gpcv::command {
namespace {

/// Name of a processor that OpenBLAS knows and that has the instructions of this one; null without AVX2.
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
  // OpenBLAS falls back to Prescott, which has SSE3, for a processor that it does not know.
  if (blas_name() != "Prescott" || std::getenv(setting) != nullptr) return;
  const char* name = capable_as();
  if (name == nullptr || setenv(setting, name, 1) != 0) return;
  execv("/proc/self/exe",
        argv);  // execv returns only when it fails; the program then runs slower, with the same results
}

}  // namespace gpcv::command
