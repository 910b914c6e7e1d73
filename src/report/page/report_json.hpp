/// Everything the report's page shows, as one JSON object: the page itself only draws.
#pragma once

#include <nlohmann/json.hpp>

#include "gpcv/report.hpp"

namespace gpcv {

using PageJson = nlohmann::ordered_json;

PageJson report_json(const Model& model, const Diagnostics& seen, const Seconds& seconds);

/// The parts that are drawn (report_charts.cpp).
PageJson convergence_json(const Model& model);
PageJson assessment_json(const Assessment& assessment);
PageJson effects_json(const Model& model, const Diagnostics& seen);
PageJson relevance_json(const Diagnostics& seen);
PageJson components_json(const Diagnostics& seen);

}  // namespace gpcv
