#include <nlohmann/json.hpp>

#include "gpcv/report.hpp"

namespace gpcv {

std::string comparison_json(const Comparison& comparison) {
  using Json = nlohmann::ordered_json;  // it writes values that are not finite as null
  Json ranked = Json::array(), failed = Json::array();
  for (const Ranked& r : comparison.ranked) {
    const Model& model = r.contender.result.model;
    ranked.push_back({{"kernel", r.contender.kernel},
                      {"trained", model.kernel.to_string()},
                      {"noise", model.noise},
                      {"status", name_of(model.provenance.status)},
                      {"cv_rmse", r.rmse},
                      {"cv_rmse_error", r.rmse_error},
                      {"loss", r.loss},
                      {"behind", r.behind},
                      {"behind_error", r.behind_error},
                      {"nlpd", r.nlpd},
                      {"seconds", r.seconds}});
  }
  for (const Contender& c : comparison.failed) failed.push_back({{"kernel", c.kernel}, {"reason", c.failure}});
  return Json{{"criterion", name_of(comparison.criterion)}, {"ranked", ranked}, {"failed", failed}}.dump(
      2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpcv
