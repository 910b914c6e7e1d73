/// Findings as JSON, for the diagnosis and for the result of a training.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "gpcv/diagnosis.hpp"

namespace gpcv {

/// Array of the findings: severity, code and text.
inline nlohmann::ordered_json finding_array(const std::vector<Finding>& findings) {
  auto array = nlohmann::ordered_json::array();
  for (const Finding& f : findings) {
    array.push_back({{"severity", name_of(f.severity)}, {"code", f.code}, {"text", f.text}});
  }
  return array;
}

}  // namespace gpcv
