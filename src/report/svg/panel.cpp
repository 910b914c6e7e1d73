#include "report/svg/panel.hpp"

#include <algorithm>
#include <cmath>

#include "report/svg/svg_text.hpp"

namespace gpcv {
namespace {

/// Heights above and below the plot: title, note and key above; ticks and the name of the axis below.
constexpr double above = 62, below = 48, right = 14, least_left = 44;
/// Widths of a character of 11 and of 14 pixels, on the safe side.
constexpr double small_character = 6.6, large_character = 8.2;

std::size_t fitting(double pixels, double character) {
  return static_cast<std::size_t>(std::max(4.0, pixels / character));
}

/// Number of characters, where continuation bytes of UTF-8 do not count.
double characters_of(const std::string& text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

Axis vertical_axis(const Box& box, const Range& range) {
  return {range, box.top + box.height - below, box.top + above, 34};
}

/// The horizontal axis begins where the longest label of the vertical one has room.
Axis horizontal_axis(const Box& box, const Frame& frame, const Axis& vertical) {
  double longest = 0;
  for (const Axis::Tick& t : vertical.ticks()) longest = std::max(longest, small_character * characters_of(t.text));
  const double left = std::max(least_left, longest + 32);
  return {frame.horizontal, box.left + left, box.left + box.width - right, 60};
}

}  // namespace

Panel::Panel(Box box, Frame frame)
    : box_(box),
      frame_(std::move(frame)),
      vertical_(vertical_axis(box_, frame_.vertical)),
      horizontal_(horizontal_axis(box_, frame_, vertical_)) {
  emit("<g>\n");
  write_titles();
  write_vertical_axis();
  if (frame_.levels.empty()) {
    write_horizontal_axis();
  } else {
    write_levels();
  }
}

void Panel::write_text(double x, double y, std::string_view anchor, std::string_view style, const std::string& text) {
  emit("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, style, svg_text(text));
}

void Panel::write_titles() {
  write_text(box_.left + 8, box_.top + 18, "start", "font-size=\"14\" font-weight=\"600\"",
             shortened(frame_.title, fitting(box_.width - 16, large_character)));
  write_text(box_.left + 8, box_.top + 35, "start", "fill=\"#59636e\"",
             shortened(frame_.note, fitting(box_.width - 16, small_character)));
  write_text((horizontal_.from() + horizontal_.to()) / 2, box_.top + box_.height - 10, "middle", "font-size=\"12\"",
             shortened(frame_.x, fitting(horizontal_.to() - horizontal_.from(), small_character)));
  emit("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\" font-size=\"12\">{}</text>\n",
       box_.left + 16, (vertical_.from() + vertical_.to()) / 2,
       svg_text(shortened(frame_.y, fitting(vertical_.from() - vertical_.to(), small_character))));
}

void Panel::write_vertical_axis() {
  for (const Axis::Tick& t : vertical_.ticks()) {
    const double y = vertical_(t.value);
    emit("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\"/>\n", horizontal_.from(), y, horizontal_.to(), ink::grid);
    write_text(horizontal_.from() - 7, y + 4, "end", "fill=\"#59636e\"", t.text);
  }
}

void Panel::write_horizontal_axis() {
  for (const Axis::Tick& t : horizontal_.ticks()) {
    const double x = horizontal_(t.value);
    emit("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"{}\"/>\n", x, vertical_.from(), vertical_.to(), ink::grid);
    write_text(x, vertical_.from() + 16, "middle", "fill=\"#59636e\"", t.text);
  }
}

/// Where names would overlap only some of the levels are named.
void Panel::write_levels() {
  const auto count = static_cast<double>(frame_.levels.size());
  const double room = (horizontal_.to() - horizontal_.from()) / count;
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(5 * small_character / room)));
  for (std::size_t i = 0; i < frame_.levels.size(); i += every) {
    write_text(horizontal_(static_cast<double>(i)), vertical_.from() + 16, "middle", "fill=\"#59636e\"",
               shortened(frame_.levels[i], fitting(room * static_cast<double>(every) - 4, small_character)));
  }
}

/// The path runs along the upper edge and back along the lower.
void Panel::band(const Vector& x, const Band& band, std::string_view colour, double opacity) {
  std::vector<Index> shown;
  for (Index i = 0; i < x.size(); ++i) {
    if (std::isfinite(x(i)) && std::isfinite(band.lower(i)) && std::isfinite(band.upper(i))) shown.push_back(i);
  }
  if (shown.empty()) return;
  emit("<path fill=\"{}\" fill-opacity=\"{}\" d=\"", colour, opacity);
  const char* command = "M";
  for (const Index i : shown) {
    emit("{}{:.1f} {:.1f}", std::exchange(command, "L"), horizontal_(x(i)), vertical_(band.upper(i)));
  }
  std::reverse(shown.begin(), shown.end());
  for (const Index i : shown) emit("L{:.1f} {:.1f}", horizontal_(x(i)), vertical_(band.lower(i)));
  emit("Z\"/>\n");
}

void Panel::line(const Vector& x, const Vector& y, std::string_view colour, double width, bool dashed) {
  std::string path;
  for (Index i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x(i)) || !std::isfinite(y(i))) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", horizontal_(x(i)), vertical_(y(i)));
  }
  if (path.empty()) return;
  emit("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{} d=\"{}\"/>\n", colour, width,
       dashed ? " stroke-dasharray=\"5 4\"" : "", path);
}

void Panel::dots(const Vector& x, const Vector& y, std::string_view colour, double opacity) {
  const double radius = x.size() > 800 ? 1.4 : x.size() > 200 ? 1.9 : 2.6;
  emit("<g fill=\"{}\" fill-opacity=\"{}\">\n", colour, opacity);
  for (Index i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x(i)) || !std::isfinite(y(i))) continue;
    emit("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", horizontal_(x(i)), vertical_(y(i)), radius);
  }
  emit("</g>\n");
}

void Panel::bars(const Band& band, std::string_view colour, double opacity) {
  const double room = horizontal_(1) - horizontal_(0), half = std::clamp(0.25 * room, 1.0, 22.0);
  for (Index i = 0; i < band.lower.size(); ++i) {
    if (!std::isfinite(band.lower(i)) || !std::isfinite(band.upper(i))) continue;
    const double bottom = vertical_(band.lower(i)) + 1, top = vertical_(band.upper(i)) - 1;  // a thin bar is still seen
    emit("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" fill-opacity=\"{}\"/>\n",
         horizontal_(static_cast<double>(i)) - half, top, 2 * half, bottom - top, colour, opacity);
  }
}

void Panel::marks(const Vector& x) {
  std::string path;
  for (const double value : x) {
    if (std::isfinite(value)) path += fmt::format("M{:.1f} {:.1f}v-6", horizontal_(value), vertical_.from());
  }
  if (!path.empty()) emit("<path stroke=\"{}\" stroke-opacity=\"0.45\" d=\"{}\"/>\n", ink::points, path);
}

void Panel::key(const std::vector<KeyEntry>& entries) {
  double x = box_.left + 8;
  const double y = box_.top + 49;
  for (const KeyEntry& e : entries) {
    const double end = x + 32 + small_character * characters_of(e.text);
    if (end > box_.left + box_.width) return;
    switch (e.shape) {
      case KeyEntry::Shape::dot:
        emit("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" fill-opacity=\"{}\"/>\n", x + 7, y, e.colour,
             e.opacity);
        break;
      case KeyEntry::Shape::line:
        emit("<path d=\"M{:.1f} {:.1f}h14\" stroke=\"{}\" stroke-width=\"2\"/>\n", x, y, e.colour);
        break;
      case KeyEntry::Shape::band:
        emit("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"9\" fill=\"{}\" fill-opacity=\"{}\"/>\n", x,
             y - 4.5, e.colour, e.opacity);
        break;
    }
    write_text(x + 19, y + 4, "start", "", e.text);
    x = end;
  }
}

std::string Panel::finish() && {
  emit("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#8a939c\"/>\n</g>\n", horizontal_.from(), vertical_.from(),
       horizontal_.to());
  return std::move(svg_);
}

std::string svg_document(double width, double height, const std::string& title, const std::string& description,
                         const std::string& elements) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-labelledby=\"title description\" font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', "
      "Arial, sans-serif\" font-size=\"11\" fill=\"{2}\">\n<title id=\"title\">{3}</title>\n"
      "<desc id=\"description\">{4}</desc>\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n{5}</svg>\n",
      width, height, ink::text, svg_text(title), svg_text(description), elements);
}

}  // namespace gpcv
