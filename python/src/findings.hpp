/// Findings about data and results, worded for the Python package.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"

namespace gpcv::python {

/// Whether the folds are suitable for dependent rows, so that the order of the rows needs no warning.
bool ordered(const FoldOptions& folds);

/// Findings about the rows of a training that deserve attention.
std::vector<Finding> data_findings(const Dataset& data, bool ordered_folds, const TargetTransform& transform);

/// Findings as a list of dictionaries; `about` is "data" or "result".
nanobind::list to_list(const std::vector<Finding>& findings, const char* about);

/// Findings about the training rows and the result of a model. A model does not keep which inputs were dates.
nanobind::list model_findings(const Model& model);

}  // namespace gpcv::python
