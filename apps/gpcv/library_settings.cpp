#include "library_settings.hpp"

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

void set_library_settings(char** argv) {
  bool changed = false;
  const auto set = [&](const char* setting, const char* value) {
    if (value != nullptr && std::getenv(setting) == nullptr && setenv(setting, value, 1) == 0) changed = true;
  };
  // A user who sets the number of spins has chosen how threads wait.
  if (std::getenv("GOMP_SPINCOUNT") == nullptr) set("OMP_WAIT_POLICY", "passive");
  // OpenBLAS falls back to Prescott, which has SSE3, for a processor that it does not know.
  if (blas_name() == "Prescott") set("OPENBLAS_CORETYPE", capable_as());
  // execv returns only when it fails; the program then runs slower, with the same results.
  if (changed) execv("/proc/self/exe", argv);
}

}  // namespace gpcv::command
