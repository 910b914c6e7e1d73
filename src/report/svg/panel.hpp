/// One chart of an SVG picture: title, axes and what is drawn between them.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/bands.hpp"
#include "report/svg/axis.hpp"

namespace gpcv {

/// Colours of charts, those of the page.
namespace ink {
constexpr std::string_view curve = "#0067a5", points = "#3c4650", other_points = "#b84a00", text = "#1b1f24",
                           faint = "#59636e", grid = "#e3e7eb";
}

/// Place of a chart in its picture, in pixels.
struct Box {
  double left = 0, top = 0, width = 0, height = 0;
};

/// Words and ranges of a chart. With `levels` the horizontal axis has these names at 0, 1, 2, …
struct Frame {
  std::string title, note, x, y;
  Range horizontal, vertical;
  std::vector<std::string> levels = {};
};

/// Line of the key: what a colour stands for.
struct KeyEntry {
  enum class Shape { dot, line, band } shape;
  std::string_view colour;
  double opacity;
  std::string text;
};

/// Chart that is drawn piece by piece, background first. Values that are not finite are left out.
class Panel {
 public:
  Panel(Box box, Frame frame);

  void band(const Vector& x, const Band& band, std::string_view colour, double opacity);
  void line(const Vector& x, const Vector& y, std::string_view colour, double width, bool dashed = false);
  void dots(const Vector& x, const Vector& y, std::string_view colour, double opacity);
  /// Bars from lower to upper at the levels 0, 1, 2, …
  void bars(const Band& band, std::string_view colour, double opacity);
  /// Marks of values along the lower edge.
  void marks(const Vector& x);
  void key(const std::vector<KeyEntry>& entries);
  /// The elements of the chart.
  std::string finish() &&;

 private:
  template <class... T>
  void emit(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<T>(arguments)...);
  }
  void write_text(double x, double y, std::string_view anchor, std::string_view style, const std::string& text);
  void write_titles();
  void write_horizontal_axis();
  void write_vertical_axis();
  void write_levels();

  Box box_;
  Frame frame_;
  Axis vertical_, horizontal_;
  std::string svg_;
};

/// Document with these elements. The title and the description are what a screen reader says.
std::string svg_document(double width, double height, const std::string& title, const std::string& description,
                         const std::string& elements);

}  // namespace gpcv
