/// Results as lines of text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "gpcv/comparison.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv::command {

/// The findings, one line each, the severity in front.
std::string finding_lines(const std::vector<Finding>& findings);
/// The findings, and whether training would start.
std::string diagnosis_text(const std::vector<Finding>& findings);
/// Test metrics, one line each.
std::string evaluation_text(const Metrics& metrics);
/// The ranking of kernels, one line each.
std::string comparison_text(const Comparison& comparison);
/// The lines below the iteration table. `communicator`: the processes that trained; null: this one alone.
std::string fit_footer(const FitResult& result, const std::string& model_path,
                       const Communicator* communicator = nullptr);

}  // namespace gpcv::command
