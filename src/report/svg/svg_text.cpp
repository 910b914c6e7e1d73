#include "report/svg/svg_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gpcv {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Number of bytes of a character of UTF-8, by its first byte; 0 for a byte that begins none.
std::size_t length_of(unsigned char first) {
  return first < 0x80                    ? 1
         : first >= 0xC2 && first < 0xE0 ? 2
         : first >= 0xE0 && first < 0xF0 ? 3
         : first >= 0xF0 && first < 0xF5 ? 4
                                         : 0;
}

/// Whether XML 1.0 permits the character with this number.
bool is_permitted(unsigned long code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return !surrogate && code != 0xFFFE && code != 0xFFFF && code < 0x110000;
}

/// Number of the character in these bytes; one that XML does not permit where they are not its shortest form.
unsigned long code_of(std::string_view bytes) {
  constexpr unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return first;
  unsigned long code = first & (0xFFu >> (bytes.size() + 1));
  for (const char c : bytes.substr(1)) {
    if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u) return 0xFFFF;
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  }
  return code < least[bytes.size()] ? 0xFFFF : code;
}

/// Characters of a text, each as its bytes.
std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of(static_cast<unsigned char>(text[at]));
    const bool whole = length > 0 && at + length <= text.size() && is_permitted(code_of(text.substr(at, length)));
    out.push_back(whole ? text.substr(at, length) : replacement);
    at += whole ? length : 1;
  }
  return out;
}

}  // namespace

std::string svg_text(std::string_view text) {
  std::string out;
  for (const std::string_view c : characters(text)) {
    if (c == "&") {
      out += "&amp;";
    } else if (c == "<") {
      out += "&lt;";
    } else if (c == ">") {
      out += "&gt;";
    } else if (c == "\"") {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  const std::vector<std::string_view> all = characters(text);
  std::string out;
  const bool fits = all.size() <= most;
  for (std::size_t i = 0; i < (fits ? all.size() : std::max<std::size_t>(most, 1) - 1); ++i) out += all[i];
  return fits ? out : out + "…";
}

std::string tick_text(double value, double step, double largest) {
  const double place = std::floor(std::log10(step) + 1e-9), first = std::floor(std::log10(largest));
  const bool plain = largest >= 1e-3 && largest < 1e7;
  const int digits = static_cast<int>(std::clamp(plain ? -place : first - place, 0.0, 15.0));
  const std::string text = value == 0 ? "0"
                           : plain    ? fmt::format("{:.{}f}", value, digits)
                                      : fmt::format("{:.{}e}", value, digits);
  std::string out;
  for (const char c : text) c == '-' ? out += "−" : out += c;
  return out;
}

}  // namespace gpcv
