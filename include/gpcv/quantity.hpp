/// Numbers formatted for people.
#pragma once

#include <cstddef>
#include <string>

#include "gpcv/export.hpp"

namespace gpcv {

/// Text of a number of bytes: "512 KiB", "1.4 GiB".
GPCV_EXPORT std::string bytes(std::size_t count);
/// Text of a duration: "0.42 s", "3.1 min", "2.0 h".
GPCV_EXPORT std::string duration(double seconds);
/// Text of an estimated duration, rounded: "7 s", "40 s", "3 min".
GPCV_EXPORT std::string rough_duration(double seconds);
/// Text of a count with its digits in groups of three: "12 345".
GPCV_EXPORT std::string grouped(long long count);

}  // namespace gpcv
