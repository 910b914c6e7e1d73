/// Results in the formats that others read: an HTML page, JSON, SVG, tables. Nothing is computed here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpcv/comparison.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/export.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// Seconds of each phase of a training, as in FitResult::seconds; a model file does not keep them.
using Seconds = std::vector<std::pair<std::string, double>>;

/// The report of a model: one HTML page that needs no other file and no network.
/// `seconds` may be empty.
GPCV_EXPORT std::string html_report(const Model& model, const Diagnostics& seen, const Seconds& seconds);

/// A training as one JSON object; its keys are in a fixed order. `findings`: what diagnose() said of the table.
GPCV_EXPORT std::string fit_json(const FitResult& result, const FitOptions& options,
                                 const std::vector<Finding>& findings = {});
/// Test metrics as one JSON object.
GPCV_EXPORT std::string evaluation_json(const Metrics& metrics);
/// Findings about a table, and whether training would start, as one JSON object.
GPCV_EXPORT std::string diagnosis_json(const std::vector<Finding>& findings);
/// A ranking of kernels as one JSON object.
GPCV_EXPORT std::string comparison_json(const Comparison& comparison);

/// A fit over one input, to be drawn.
struct FitChart {
  std::string title, x_label, y_label;
  Vector train_x, train_y;       ///< grey dots
  Vector test_x, test_y;         ///< red dots; may be empty
  Vector x, mean, lower, upper;  ///< ascending x; the line and its band
};
/// The chart as an SVG picture.
GPCV_EXPORT std::string to_svg(const FitChart& chart);

/// Named columns of numbers, for CsvWriter and write_csv().
struct NumberTable {
  std::vector<std::string> names;
  Matrix values;
};
/// Out-of-fold predictions in the columns row, fold, target, mean, std, lower, upper. Rows of the table and folds are
/// counted from 0. `interval`: probability that lower..upper is to have.
GPCV_EXPORT NumberTable held_out_table(const FitResult& result, const HeldOutRows& held, double interval,
                                       const Reading& reading);

}  // namespace gpcv
