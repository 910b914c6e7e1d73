#include "gpcv/report.hpp"

#include <fmt/format.h>

#include <map>

#include "report/page/escape.hpp"
#include "report/page/page_parts.hpp"
#include "report/page/report_json.hpp"

namespace gpcv {
namespace {

/// Template with each {{name}} replaced by its part. Parts themselves are not expanded.
std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& parts) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t open = page.find("{{", at), close = page.find("}}", open);
    out += page.substr(at, open - at);
    if (open == std::string_view::npos) return out;
    out += parts.at(page.substr(open + 2, close - open - 2));
    at = close + 2;
  }
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string script_escaped(std::string_view json) {
  std::string out;
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

std::string html_report(const Model& model, const Diagnostics& seen, const Seconds& seconds) {
  const std::string data =
      script_escaped(report_json(model, seen, seconds).dump(-1, ' ', false, PageJson::error_handler_t::replace));
  // The target's name is taken from the JSON, where invalid UTF-8 has been replaced; otherwise the page would be
  // invalid.
  const std::string name = PageJson::parse(data)["target"];
  const std::string title = html_escaped(name.empty() ? "Gaussian process" : name);
  return filled(page_html, {{"title", title},
                            {"style", page_css},
                            {"chart", chart_js},
                            {"charts", page_charts_js},
                            {"report", page_report_js},
                            {"data", data}});
}

}  // namespace gpcv
