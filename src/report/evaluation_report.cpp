#include "report/evaluation_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace gpcv {

std::string evaluation_text(const Metrics& m) {
  return fmt::format(
      "rows      {}\n"
      "rmse      {:.6g}\n"
      "smse      {:.6g}   (1 is no better than the mean of the targets)\n"
      "nlpd      {:.6g}\n"
      "crps      {:.6g}\n"
      "coverage  {:.1f} % of the 50 % intervals, {:.1f} % of the 80 %, {:.1f} % of the 95 %\n",
      m.n, m.rmse, m.smse, m.nlpd, m.crps, 100 * m.coverage50, 100 * m.coverage80, 100 * m.coverage95);
}

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
