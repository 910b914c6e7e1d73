#include "report/diagnosis_report.hpp"

#include <fmt/format.h>

#include "report/finding_json.hpp"

namespace gpcv {

std::string finding_lines(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += fmt::format("{:<8} {}\n", name_of(finding.severity), finding.text);
  return text;
}

std::string diagnosis_text(const std::vector<Finding>& findings) {
  return finding_lines(findings) +
         fmt::format("verdict  training would {}\n", would_train(findings) ? "start" : "be refused");
}

std::string diagnosis_json(const std::vector<Finding>& findings) {
  using Json = nlohmann::ordered_json;
  const Json json = {{"would_train", would_train(findings)}, {"findings", finding_array(findings)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);  // a column name may be in any encoding
}

}  // namespace gpcv
