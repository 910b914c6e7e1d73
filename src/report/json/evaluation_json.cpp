#include "gpcv/report.hpp"

#include "report/json/finding_json.hpp"

namespace gpcv {
namespace {

using EvaluationJson = nlohmann::ordered_json;

EvaluationJson metrics_json(const Metrics& m, const Reading* reading) {
  EvaluationJson json = {{"n", m.n},
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
  return json;
}

std::string text_of(const EvaluationJson& json) {
  return json.dump(2, ' ', false, EvaluationJson::error_handler_t::replace);  // a name may be in any encoding
}

}  // namespace

std::string evaluation_json(const Metrics& m, const Reading* reading) { return text_of(metrics_json(m, reading)); }

std::string evaluation_json(const std::vector<TargetEvaluation>& targets) {
  EvaluationJson list = EvaluationJson::array();
  for (const TargetEvaluation& target : targets) {
    EvaluationJson own = EvaluationJson::object();
    own["target"] = target.target;
    own.update(metrics_json(target.metrics, &target.reading));
    list.push_back(std::move(own));
  }
  EvaluationJson json = EvaluationJson::object();
  json["targets"] = std::move(list);
  return text_of(json);
}

}  // namespace gpcv
