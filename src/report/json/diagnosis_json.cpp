#include "gpcv/report.hpp"

#include "report/json/finding_json.hpp"

namespace gpcv {

std::string diagnosis_json(const std::vector<Finding>& findings) {
  using Json = nlohmann::ordered_json;
  const Json json = {{"would_train", would_train(findings)}, {"findings", finding_array(findings)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);  // a column name may have any encoding
}

}  // namespace gpcv
