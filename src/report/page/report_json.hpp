/// Contents of the report as one JSON object; the scripts of the page only display it.
#pragma once

#include <nlohmann/json.hpp>

#include "gpcv/report.hpp"

namespace gpcv {

using PageJson = nlohmann::ordered_json;

/// Contents of the whole page.
PageJson report_json(const Model& model, const Diagnostics& seen, const Seconds& seconds);

/// Contents of the charts (report_charts.cpp).
PageJson convergence_json(const Model& model);
PageJson assessment_json(const Assessment& assessment);
PageJson effects_json(const Model& model, const Diagnostics& seen);
PageJson importance_json(const Diagnostics& seen);
PageJson relevance_json(const Diagnostics& seen);
PageJson components_json(const Diagnostics& seen);
/// Learned noise in words and along its inputs; null for constant noise.
PageJson noise_json(const Model& model, const Diagnostics& seen);

}  // namespace gpcv
