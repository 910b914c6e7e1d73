/// Results formatted as lines of text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "gpcv/comparison.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv::command {

/// Findings, one line each, with the severity first.
std::string finding_lines(const std::vector<Finding>& findings);
/// Findings, followed by a line that says whether training would start.
std::string diagnosis_text(const std::vector<Finding>& findings);
/// Test metrics, one line each.
std::string evaluation_text(const Metrics& metrics);
/// Ranking of kernels, one line each.
std::string comparison_text(const Comparison& comparison);
/// Lines below the iteration table. `communicator` joins the processes that trained; it is null for a single process.
std::string fit_footer(const FitResult& result, const std::string& model_path,
                       const Communicator* communicator = nullptr);

/// Description of a model: whether it can be used, its inputs, its kernel and its parameters.
std::string model_text(const Model& model, const Diagnostics& seen, const std::string& path);

}  // namespace gpcv::command
