/// Template, style and scripts of the page (src/report/page) and Chart.js, embedded by the build.
#pragma once

#include <string_view>

namespace gpcv {

/// Files of the page.
extern const std::string_view page_html, page_css, page_charts_js, page_report_js;
/// Chart.js 3 (MIT licence), which draws the charts.
extern const std::string_view chart_js;

}  // namespace gpcv
