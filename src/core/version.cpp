#include "gpcv/version.hpp"

namespace gpcv {

std::string_view version() { return GPCV_VERSION; }

}  // namespace gpcv
