#include "gpcv/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>
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

std::pair<double, double> extremes(std::initializer_list<const Vector*> parts) {
  double low = 1e300, high = -1e300;
  for (const Vector* v : parts) {
    if (v->size() == 0) continue;
    low = std::min(low, v->minCoeff());
    high = std::max(high, v->maxCoeff());
  }
  return {low, high};
}

Axis horizontal_axis(const FitChart& chart) {
  const auto [low, high] = extremes({&chart.train_x, &chart.test_x, &chart.x});
  return {low, high, left, width - right};
}

Axis vertical_axis(const FitChart& chart) {
  const auto [low, high] = extremes({&chart.train_y, &chart.test_y, &chart.lower, &chart.upper});
  const double margin = 0.04 * (high - low);
  return {low - margin, high + margin, height - bottom, top};
}

/// Writes the parts of a chart, those in the background first.
class SvgWriter {
 public:
  explicit SvgWriter(const FitChart& chart)
      : chart_(chart), horizontal_(horizontal_axis(chart)), vertical_(vertical_axis(chart)) {}

  std::string write() {
    emit(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
    emit("<text x=\"{}\" y=\"26\" font-size=\"17\">{}</text>\n", left, escaped(chart_.title));
    write_grid();
    write_labels();
    write_interval();
    write_mean();
    write_dots(chart_.train_x, chart_.train_y, "#666666");
    write_dots(chart_.test_x, chart_.test_y, "#cb181d");
    write_key();
    emit("</svg>\n");
    return std::move(svg_);
  }

 private:
  template <class... T>
  void emit(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<T>(arguments)...);
  }

  void write_grid() {
    for (double t : horizontal_.ticks()) {
      emit(
          "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#e4e4e4\"/><text x=\"{0:.1f}\" y=\"{3}\" "
          "text-anchor=\"middle\">{4:g}</text>\n",
          horizontal_(t), top, height - bottom, height - bottom + 18, t);
    }
    for (double t : vertical_.ticks()) {
      emit(
          "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#e4e4e4\"/><text x=\"{3}\" y=\"{4:.1f}\" "
          "text-anchor=\"end\">{5:g}</text>\n",
          left, vertical_(t), width - right, left - 8, vertical_(t) + 4, t);
    }
  }

  void write_labels() {
    emit("<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2, height - 12,
         escaped(chart_.x_label));
    emit("<text transform=\"translate(18 {:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
         (top + height - bottom) / 2, escaped(chart_.y_label));
  }

  void write_point(const char* command, double x, double y) {
    emit("{}{:.1f} {:.1f}", command, horizontal_(x), vertical_(y));
  }

  /// A path from left to right through the values at chart.x.
  void write_curve(const Vector& values) {
    for (Index i = 0; i < chart_.x.size(); ++i) write_point(i == 0 ? "M" : "L", chart_.x(i), values(i));
  }

  /// The band runs along the upper edge and back along the lower.
  void write_interval() {
    emit("<path fill=\"#9ecae1\" fill-opacity=\"0.7\" d=\"");
    write_curve(chart_.upper);
    for (Index i = chart_.x.size(); i-- > 0;) write_point("L", chart_.x(i), chart_.lower(i));
    emit("Z\"/>\n");
  }

  void write_mean() {
    emit("<path fill=\"none\" stroke=\"#08519c\" stroke-width=\"1.3\" d=\"");
    write_curve(chart_.mean);
    emit("\"/>\n");
  }

  void write_dots(const Vector& x, const Vector& y, const char* colour) {
    for (Index i = 0; i < x.size(); ++i) {
      emit("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\" fill=\"{}\"/>\n", horizontal_(x(i)), vertical_(y(i)), colour);
    }
  }

  /// The key stands in the upper left corner.
  void write_key() {
    const double key = left + 12;
    emit(
        "<circle cx=\"{0}\" cy=\"66\" r=\"3\" fill=\"#666666\"/><text x=\"{1}\" y=\"70\">training data</text>\n"
        "<path d=\"M{2} 84h20\" stroke=\"#9ecae1\" stroke-width=\"9\"/><path d=\"M{2} 84h20\" stroke=\"#08519c\" "
        "stroke-width=\"1.3\"/>"
        "<text x=\"{1}\" y=\"88\">prediction and 95 % interval</text>\n",
        key, key + 18, key - 9);
    if (chart_.test_x.size() == 0) return;
    emit("<circle cx=\"{}\" cy=\"102\" r=\"3\" fill=\"#cb181d\"/><text x=\"{}\" y=\"106\">held-out data</text>\n", key,
         key + 18);
  }

  const FitChart& chart_;
  const Axis horizontal_, vertical_;
  std::string svg_;
};

}  // namespace

std::string to_svg(const FitChart& chart) { return SvgWriter(chart).write(); }

}  // namespace gpcv
