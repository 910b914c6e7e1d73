/// Training of several targets with a common kernel.
#include "fit/shared_kernel.hpp"

#include "gpcv/error.hpp"

namespace gpcv {

std::vector<FitResult> fit_shared_kernel(const std::vector<Dataset>&, const FitOptions&,
                                         const std::function<void(Index)>&, const Observer&, const Announce&) {
  throw InputError("a kernel cannot be shared by several targets");
}

}  // namespace gpcv
