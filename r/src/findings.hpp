/// Findings about data and results, worded for R.
#pragma once

#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"
#include "lists.hpp"

namespace gpcv::r {

/// Findings about the rows of a training that deserve attention.
std::vector<Finding> data_findings(const Dataset& data, const FoldOptions& folds, const TargetTransform& transform);

/// Findings about data, then about a result, as columns of a data frame: about, severity, code, text, message.
cpp11::sexp to_r(const std::vector<Finding>& about_data, const std::vector<Finding>& about_result);

/// Findings about the training rows and the result of a model from a file.
cpp11::sexp model_findings(const Model& model);

}  // namespace gpcv::r
