/// Findings about a table, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"

namespace gpcv {

/// One line per finding, its severity in front.
std::string finding_lines(const std::vector<Finding>& findings);
/// The lines, and whether training would start.
std::string diagnosis_text(const std::vector<Finding>& findings);
std::string diagnosis_json(const std::vector<Finding>& findings);

}  // namespace gpcv
