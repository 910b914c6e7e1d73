/// Results formatted as lines of text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "gpcv/comparison.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/verdict.hpp"

namespace gpcv::command {

/// Printable text of at most `most` characters; a longer one loses its end.
std::string shortened(const std::string& text, int most);
/// Findings, one line each, with the severity first.
std::string finding_lines(const std::vector<Finding>& findings);
/// Findings, followed by a line that says whether training would start.
std::string diagnosis_text(const std::vector<Finding>& findings);
/// " (in the units of price)"; empty for a target without a name.
std::string units_of(const std::string& target);
/// Test metrics, one line each; the target has a name where its numbers have units.
std::string evaluation_text(const Metrics& metrics, const std::string& target);
/// Ranking of kernels, one line each.
std::string comparison_text(const Comparison& comparison);
/// Whether permuting the input moves predictions by less than a hundredth of what the most important one does.
bool has_no_effect(const Diagnostics& seen, const Relevance& input);
/// Hyper-parameters in the units of the table, one line each, by parts of the kernel: length scales first, of which the
/// shortest relative to the spread of its input is the first. Inputs without effect share a line.
std::string parameter_lines(const Diagnostics& seen, const std::vector<ParameterRow>& rows);
/// Standard error of a parameter: " ± 5 %"; empty where there is none.
std::string standard_error_text(double relative_error);

/// Brief diagnostics for the footer of a training that one process or several have run. They lack the relevance of
/// inputs where it cannot be computed, because a description must not cost the model.
Diagnostics brief_diagnostics(const Model& model, ComputeOptions compute);
/// Lines below the iteration table about the training. `seen` are brief diagnostics of the model; `communicator` joins
/// the processes that trained; it is null for a single process.
std::string fit_summary(const FitResult& result, const Diagnostics& seen, const Communicator* communicator = nullptr);
/// Line about the file of the model, whose name may be empty.
std::string model_line(const std::string& model_path);
/// Both together.
std::string fit_footer(const FitResult& result, const Diagnostics& seen, const std::string& model_path,
                       const Communicator* communicator = nullptr);

/// Description of a model: whether it can be used, its inputs, its kernel and its parameters. `arguments` denote the
/// model on a command line.
std::string model_text(const Model& model, const Diagnostics& seen, const std::string& path,
                       const std::string& arguments);
/// Description of the models of several targets: the targets, and how each is described.
std::string models_text(const std::vector<Model>& models, const std::string& path);
/// Table of targets with the rows, the error and the kernel of each.
std::string targets_table(const std::vector<const Model*>& models);

}  // namespace gpcv::command
