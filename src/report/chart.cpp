#include "gpcv/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace gpcv {
namespace {

constexpr double width = 900, height = 480, left = 70, right = 20, top = 50, bottom = 55;

/// Maps data to pixels along one axis, with round ticks.
struct Axis {
  double low = 0, high = 1, first_pixel = 0, last_pixel = 1, step = 1;

  Axis(double lowest, double highest, double from, double to)
      : low(lowest), high(highest), first_pixel(from), last_pixel(to) {
    if (!(high > low)) high = low + 1;
    // 1, 2 or 5 times a power of ten, giving 5 to 10 ticks.
    const double raw = (high - low) / 8;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
  }
  double operator()(double value) const {
    return first_pixel + (value - low) / (high - low) * (last_pixel - first_pixel);
  }
  std::vector<double> ticks() const {
    std::vector<double> out;
    const auto first = static_cast<long>(std::ceil(low / step)), last = static_cast<long>(std::floor(high / step));
    for (long i = first; i <= last; ++i) out.push_back(static_cast<double>(i) * step);
    return out;
  }
};

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

}  // namespace

std::string to_svg(const FitChart& chart) {
  auto extremes = [](std::initializer_list<const Vector*> parts) {
    double low = 1e300, high = -1e300;
    for (const Vector* v : parts) {
      if (v->size() == 0) continue;
      low = std::min(low, v->minCoeff());
      high = std::max(high, v->maxCoeff());
    }
    return std::pair{low, high};
  };
  const auto [x_low, x_high] = extremes({&chart.train_x, &chart.test_x, &chart.x});
  const auto [y_low, y_high] = extremes({&chart.train_y, &chart.test_y, &chart.lower, &chart.upper});
  const double margin = 0.04 * (y_high - y_low);
  const Axis ax(x_low, x_high, left, width - right);
  const Axis ay(y_low - margin, y_high + margin, height - bottom, top);

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  auto out = std::back_inserter(svg);
  fmt::format_to(out, "<text x=\"{}\" y=\"26\" font-size=\"17\">{}</text>\n", left, escaped(chart.title));
  for (double t : ax.ticks()) {
    fmt::format_to(out,
                   "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#e4e4e4\"/><text x=\"{0:.1f}\" y=\"{3}\" "
                   "text-anchor=\"middle\">{4:g}</text>\n",
                   ax(t), top, height - bottom, height - bottom + 18, t);
  }
  for (double t : ay.ticks()) {
    fmt::format_to(out,
                   "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#e4e4e4\"/><text x=\"{3}\" y=\"{4:.1f}\" "
                   "text-anchor=\"end\">{5:g}</text>\n",
                   left, ay(t), width - right, left - 8, ay(t) + 4, t);
  }
  fmt::format_to(out, "<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2,
                 height - 12, escaped(chart.x_label));
  fmt::format_to(out, "<text transform=\"translate(18 {:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                 (top + height - bottom) / 2, escaped(chart.y_label));

  // The band: along the upper edge and back along the lower.
  fmt::format_to(out, "<path fill=\"#9ecae1\" fill-opacity=\"0.7\" d=\"");
  for (Index i = 0; i < chart.x.size(); ++i)
    fmt::format_to(out, "{}{:.1f} {:.1f}", i == 0 ? "M" : "L", ax(chart.x(i)), ay(chart.upper(i)));
  for (Index i = chart.x.size(); i-- > 0;) fmt::format_to(out, "L{:.1f} {:.1f}", ax(chart.x(i)), ay(chart.lower(i)));
  fmt::format_to(out, "Z\"/>\n<path fill=\"none\" stroke=\"#08519c\" stroke-width=\"1.3\" d=\"");
  for (Index i = 0; i < chart.x.size(); ++i)
    fmt::format_to(out, "{}{:.1f} {:.1f}", i == 0 ? "M" : "L", ax(chart.x(i)), ay(chart.mean(i)));
  fmt::format_to(out, "\"/>\n");
  auto dots = [&](const Vector& x, const Vector& y, const char* colour) {
    for (Index i = 0; i < x.size(); ++i) {
      fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\" fill=\"{}\"/>\n", ax(x(i)), ay(y(i)), colour);
    }
  };
  dots(chart.train_x, chart.train_y, "#666666");
  dots(chart.test_x, chart.test_y, "#cb181d");

  // Key, in the upper left corner.
  const double key = left + 12;
  fmt::format_to(
      out,
      "<circle cx=\"{0}\" cy=\"66\" r=\"3\" fill=\"#666666\"/><text x=\"{1}\" y=\"70\">training data</text>\n"
      "<path d=\"M{2} 84h20\" stroke=\"#9ecae1\" stroke-width=\"9\"/><path d=\"M{2} 84h20\" stroke=\"#08519c\" "
      "stroke-width=\"1.3\"/>"
      "<text x=\"{1}\" y=\"88\">prediction and 95 % interval</text>\n",
      key, key + 18, key - 9);
  if (chart.test_x.size() > 0) {
    fmt::format_to(
        out, "<circle cx=\"{}\" cy=\"102\" r=\"3\" fill=\"#cb181d\"/><text x=\"{}\" y=\"106\">held-out data</text>\n",
        key, key + 18);
  }
  return svg + "</svg>\n";
}

}  // namespace gpcv
