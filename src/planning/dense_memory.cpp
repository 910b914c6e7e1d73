#include "planning/dense_memory.hpp"

#include <fmt/format.h>

#include "core/memory.hpp"
#include "gpcv/error.hpp"

namespace gpcv {

void require_dense_memory(Index n, int matrices, const char* what) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const double needed = 8.0 * static_cast<double>(n) * static_cast<double>(n) * matrices;
  const auto available = static_cast<double>(available_memory());
  if (needed <= available) return;
  throw InputError(
      fmt::format("{} with n = {} needs {:.1f} GiB for dense matrices, {:.1f} GiB are free: use fewer rows", what, n,
                  needed / gibibyte, available / gibibyte));
}

}  // namespace gpcv
