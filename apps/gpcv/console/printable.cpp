#include "console/printable.hpp"

#include <fmt/format.h>

namespace gpcv::command {
namespace {

std::string with_escapes(std::string_view text, std::string_view kept) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // The control characters from U+0080 to U+009F are the byte C2 and another one in UTF-8.
    const unsigned char next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      out += fmt::format("\\x{:02x}", next);
      ++i;
    } else if ((byte >= 0x20 && byte != 0x7F) || kept.find(text[i]) != kept.npos) {
      out += text[i];
    } else if (byte == '\n') {
      out += "\\n";
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return with_escapes(text, ""); }

std::string printable_lines(std::string_view text) { return with_escapes(text, "\n\t"); }

}  // namespace gpcv::command
