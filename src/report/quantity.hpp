/// Numbers as people read them.
#pragma once

#include <cstddef>
#include <string>

namespace gpcv {

/// "0.42 s", "3.1 min", "2.0 h"
std::string duration(double seconds);
/// "512 KiB", "1.4 GiB"
std::string bytes(std::size_t count);
/// "12 345"
std::string grouped(long long count);

}  // namespace gpcv
