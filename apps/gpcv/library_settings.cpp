#include "library_settings.hpp"

#include <unistd.h>

#include <cstdlib>

#include "gpcv/machine.hpp"

namespace gpcv::command {

void set_library_settings(char** argv) {
  bool changed = false;
  const auto set = [&](const char* setting, const char* value) {
    if (setting != nullptr && std::getenv(setting) == nullptr && setenv(setting, value, 1) == 0) changed = true;
  };
  // A user who sets the number of spins has chosen how threads wait.
  if (std::getenv("GOMP_SPINCOUNT") == nullptr) set("OMP_WAIT_POLICY", "passive");
  const EnvironmentSetting processor = blas_processor_setting();
  set(processor.name, processor.value);
  // execv returns only when it fails; the program then runs slower, with the same results.
  if (changed) execv("/proc/self/exe", argv);
}

}  // namespace gpcv::command
