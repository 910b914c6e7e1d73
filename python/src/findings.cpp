#include "findings.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "gpcv/effects.hpp"
#include "gpcv/model_findings.hpp"
#include "gpcv/posterior.hpp"
#include "remedies.hpp"

namespace gpcv::python {

namespace nb = nanobind;

namespace {

/// Text of a finding. The library counts rows from 1, Python from 0.
std::string text_of(const Finding& finding) {
  return finding.code == "outliers" ? finding.text + " (rows are counted from 1)" : finding.text;
}

/// Whether folds with this description are suitable for dependent rows.
bool described_as_ordered(const std::string& folds) {
  for (const char* word : {"random", "interleaved", "holdout"}) {
    if (folds.find(word) != std::string::npos) return false;
  }
  return true;
}

}  // namespace

bool ordered(const FoldOptions& folds) {
  using Kind = FoldOptions::Kind;
  return folds.kind != Kind::random && folds.kind != Kind::interleaved && folds.kind != Kind::holdout;
}

std::vector<Finding> data_findings(const Dataset& data, bool ordered_folds, const TargetTransform& transform) {
  return at_least(Severity::warning, diagnose(data, {.ordered_folds = ordered_folds, .transform = transform}));
}

nb::list to_list(const std::vector<Finding>& findings, const char* about) {
  nb::list out;
  for (const Finding& finding : findings) {
    const std::string text = text_of(finding), remedy = remedy_text(finding.remedy, finding.facts);
    nb::dict one;
    one["about"] = about;
    one["severity"] = std::string(name_of(finding.severity));
    one["code"] = finding.code;
    one["text"] = text;
    one["message"] = remedy.empty() ? text : fmt::format("{}; {}", text, remedy);
    out.append(one);
  }
  return out;
}

nb::list model_findings(const Model& model) {
  Dataset data;
  data.x = training_inputs(model);
  data.y = training_targets(model);
  data.columns = model.columns;
  nb::list out = to_list(data_findings(data, described_as_ordered(model.provenance.folds), model.transform), "data");
  for (const nb::handle finding : to_list(findings_about(model), "result")) out.append(finding);
  return out;
}

}  // namespace gpcv::python
