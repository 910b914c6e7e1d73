#include "gpcv/report.hpp"

#include "report/json/finding_json.hpp"

namespace gpcv {

std::string diagnosis_json(const std::vector<Finding>& findings) {
  using Json = nlohmann::ordered_json;
  const Json json = {{"would_train", would_train(findings)}, {"findings", finding_array(findings)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);  // a column name may have any encoding
}

std::string diagnosis_json(const std::vector<TargetFindings>& targets) {
  using Json = nlohmann::ordered_json;
  Json json = Json::object(), list = Json::array();
  for (const TargetFindings& target : targets) {
    list.push_back({{"target", target.target},
                    {"would_train", would_train(target.findings)},
                    {"findings", finding_array(target.findings)}});
  }
  json["targets"] = std::move(list);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpcv
