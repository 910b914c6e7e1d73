#include "findings.hpp"

#include <string_view>

#include "gpcv/effects.hpp"
#include "gpcv/model_findings.hpp"
#include "gpcv/posterior.hpp"
#include "remedies.hpp"

namespace gpcv::r {
namespace {

/// Whether the order of the rows needs no warning: the folds are suitable for dependent rows.
bool ordered(const FoldOptions& folds) {
  using Kind = FoldOptions::Kind;
  return folds.kind != Kind::random && folds.kind != Kind::interleaved && folds.kind != Kind::holdout;
}
bool described_as_ordered(const std::string& folds) {
  for (const std::string_view word : {"random", "interleaved", "holdout"}) {
    if (folds.find(word) != std::string::npos) return false;
  }
  return true;
}

/// Rows with missing cells are none of them: R leaves them out silently, and print() says how many they were.
std::vector<Finding> warnings_of(const Dataset& data, bool ordered_folds, const TargetTransform& transform) {
  std::vector<Finding> findings =
      at_least(Severity::warning, diagnose(data, {.ordered_folds = ordered_folds, .transform = transform}));
  std::erase_if(findings, [](const Finding& finding) { return finding.code == "missing"; });
  return findings;
}

}  // namespace

std::vector<Finding> data_findings(const Dataset& data, const FoldOptions& folds, const TargetTransform& transform) {
  return warnings_of(data, ordered(folds), transform);
}

cpp11::sexp to_r(const std::vector<Finding>& about_data, const std::vector<Finding>& about_result) {
  std::vector<std::string> about, severity, code, text, message;
  const auto add = [&](const std::vector<Finding>& findings, const char* subject) {
    for (const Finding& finding : findings) {
      const std::string remedy = remedy_text(finding.remedy, finding.facts);
      about.emplace_back(subject);
      severity.emplace_back(name_of(finding.severity));
      code.push_back(finding.code);
      text.push_back(finding.text);
      message.push_back(remedy.empty() ? finding.text : finding.text + "; " + remedy);
    }
  };
  add(about_data, "data");
  add(about_result, "result");
  return Named()
      .add("about", about)
      .add("severity", severity)
      .add("code", code)
      .add("text", text)
      .add("message", message)
      .list();
}

cpp11::sexp model_findings(const Model& model) {
  Dataset data;
  data.x = training_inputs(model);
  data.y = training_targets(model);
  data.columns = model.columns;
  data.reading.dates = model.columns.dates.value_or(std::vector<Index>{});
  return to_r(warnings_of(data, described_as_ordered(model.provenance.folds), model.transform), findings_about(model));
}

}  // namespace gpcv::r
