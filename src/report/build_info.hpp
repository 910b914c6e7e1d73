/// What this program is made of and what it runs on.
#pragma once

#include <string>

namespace gpcv {

std::string build_info();

}  // namespace gpcv
