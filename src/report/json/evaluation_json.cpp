#include "gpcv/report.hpp"

#include <nlohmann/json.hpp>

namespace gpcv {

std::string evaluation_json(const Metrics& m) {
  const nlohmann::ordered_json json = {{"n", m.n},
                                       {"rmse", m.rmse},
                                       {"smse", m.smse},
                                       {"nlpd", m.nlpd},
                                       {"crps", m.crps},
                                       {"coverage50", m.coverage50},
                                       {"coverage80", m.coverage80},
                                       {"coverage95", m.coverage95}};
  return json.dump(2);
}

}  // namespace gpcv
