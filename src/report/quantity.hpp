/// Numbers as people read them.
#pragma once

#include <string>

#include "core/bytes.hpp"

namespace gpcv {

/// "0.42 s", "3.1 min", "2.0 h"
std::string duration(double seconds);
/// "12 345"
std::string grouped(long long count);

}  // namespace gpcv
