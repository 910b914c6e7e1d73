/// Test metrics as text and as JSON.
#pragma once

#include <string>

#include "gpcv/posterior.hpp"

namespace gpcv {

std::string evaluation_text(const Metrics& metrics);
std::string evaluation_json(const Metrics& metrics);

}  // namespace gpcv
