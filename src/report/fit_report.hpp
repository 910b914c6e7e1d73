/// What a training came to: as text, as JSON, as a trace.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {

/// The lines below the iteration table. communicator: that trained; null: one process
std::string fit_footer(const FitResult& result, const std::string& model_path,
                       const Communicator* communicator = nullptr);

/// One JSON object, keys in a fixed order.
std::string fit_json(const FitResult& result, const FitOptions& options, const std::vector<Finding>& findings = {});

/// One row per evaluation.
void write_trace(const Model& model, const std::filesystem::path& path);

}  // namespace gpcv
