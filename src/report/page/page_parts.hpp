/// The page's template, style and scripts (src/report/page), and Chart.js, as the build found them.
#pragma once

#include <string_view>

namespace gpcv {

extern const std::string_view page_html, page_css, page_charts_js, page_report_js;
/// Chart.js 3 (MIT licence), which draws.
extern const std::string_view chart_js;

}  // namespace gpcv
