#include "gpcv/report.hpp"

#include "report/json/finding_json.hpp"

namespace gpcv {

std::string evaluation_json(const Metrics& m, const Reading* reading) {
  using Json = nlohmann::ordered_json;
  Json json = {{"n", m.n},
               {"rmse", m.rmse},
               {"smse", m.smse},
               {"nlpd", m.nlpd},
               {"crps", m.crps},
               {"coverage50", m.coverage50},
               {"coverage80", m.coverage80},
               {"coverage95", m.coverage95}};
  if (reading != nullptr) {
    json["left_out"] = reading->dropped.size();
    json["findings"] = finding_array(findings_of_reading(*reading));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpcv
