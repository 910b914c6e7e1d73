/// Results as an HTML page, JSON, SVG and tables. These functions format results and compute nothing.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/comparison.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/export.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// Time of each phase of a training, as in FitResult::seconds; a model file does not contain it.
using Seconds = std::vector<std::pair<std::string, double>>;

/// Report of a model: one HTML page that needs no other file and no network. `seconds` may be empty.
GPCV_EXPORT std::string html_report(const Model& model, const Diagnostics& seen, const Seconds& seconds);

/// Result of a training as one JSON object with keys in a fixed order. `findings` are those of diagnose().
GPCV_EXPORT std::string fit_json(const FitResult& result, const FitOptions& options,
                                 const std::vector<Finding>& findings = {});
/// Results of the trainings of several targets as one JSON object, whose array "targets" has what fit_json() gives for
/// each. There are findings for each.
GPCV_EXPORT std::string fit_json(const std::vector<FitResult>& results, const FitOptions& options,
                                 const std::vector<std::vector<Finding>>& findings);
/// Test metrics of one of several targets.
struct TargetEvaluation {
  std::string target;  ///< name of the target
  Metrics metrics;     ///< test metrics
  Reading reading;     ///< how the table was read
};
/// Test metrics of several targets as one JSON object with an array "targets".
GPCV_EXPORT std::string evaluation_json(const std::vector<TargetEvaluation>& targets);
/// Test metrics as one JSON object; with `reading`, also how many rows were left out and how the table was read.
GPCV_EXPORT std::string evaluation_json(const Metrics& metrics, const Reading* reading = nullptr);
/// Findings about a table, and whether training would start, as one JSON object.
GPCV_EXPORT std::string diagnosis_json(const std::vector<Finding>& findings);
/// Findings about one of several targets.
struct TargetFindings {
  std::string target;             ///< name of the target
  std::vector<Finding> findings;  ///< findings about the rows of the target
};
/// Findings about several targets of a table as one JSON object with an array "targets".
GPCV_EXPORT std::string diagnosis_json(const std::vector<TargetFindings>& targets);
/// Ranking of kernels as one JSON object.
GPCV_EXPORT std::string comparison_json(const Comparison& comparison);

/// Chart of a fit over one input.
struct FitChart {
  std::string title;    ///< title
  std::string x_label;  ///< label of the horizontal axis
  std::string y_label;  ///< label of the vertical axis
  Vector train_x;       ///< input of the training rows
  Vector train_y;       ///< target of the training rows, drawn as grey dots
  Vector test_x;        ///< input of the test rows; may be empty
  Vector test_y;        ///< target of the test rows, drawn as red dots; may be empty
  Vector x;             ///< ascending inputs of the prediction
  Vector mean;          ///< mean at x, drawn as a line
  Vector lower;         ///< lower bound of the band at x
  Vector upper;         ///< upper bound of the band at x
};
/// Chart as an SVG picture.
GPCV_EXPORT std::string to_svg(const FitChart& chart);

/// Chart of a model in a picture.
enum class Plot {
  fit,          ///< prediction, intervals and training rows over the only input
  observed,     ///< predicted against observed values of held-out rows
  calibration,  ///< observed against nominal coverage of intervals
  effects       ///< prediction along each of the most relevant inputs, the others at their median
};
/// Name of a chart.
GPCV_EXPORT std::string_view name_of(Plot plot);

/// Charts that apply to a model: the fit for one input or the effects of several, and those of held-out rows where
/// there are any.
GPCV_EXPORT std::vector<Plot> plots_of(const Diagnostics& seen);

/// Smallest width of a picture, in pixels.
constexpr int least_picture_width = 320;
/// Largest width of a picture, in pixels.
constexpr int most_picture_width = 10000;

/// Charts of a model as one SVG picture, side by side where `width`, in pixels, permits. Throws InputError when there
/// is no chart, or when one of them does not apply to the model.
GPCV_EXPORT std::string svg_picture(const Model& model, const Diagnostics& seen, const std::vector<Plot>& plots,
                                    int width = 960);

/// SVG picture as PNG, of the same size in pixels. librsvg draws it, which is opened when it is needed: throws
/// NotCompiled where it is not installed.
GPCV_EXPORT std::string png_picture(std::string_view svg);
/// Throws NotCompiled where librsvg is not installed, which png_picture() needs.
GPCV_EXPORT void require_png();

/// Table of numbers with named columns, for CsvWriter and write_csv().
struct NumberTable {
  std::vector<std::string> names;  ///< names of the columns
  Matrix values;                   ///< values, one row per row of the table
};
/// Out-of-fold predictions in the columns row, fold, target, mean, std, lower, upper. Rows of the table and folds are
/// counted from 0. `interval` is the probability of lower..upper.
GPCV_EXPORT NumberTable held_out_table(const FitResult& result, const HeldOutRows& held, double interval,
                                       const Reading& reading);

}  // namespace gpcv
