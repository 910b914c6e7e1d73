/// Characters in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpcv {

/// The start of a text as UTF-8.
struct Utf8Prefix {
  std::size_t size = 0;       ///< bytes that are valid
  bool incomplete = false;    ///< what follows may become a character with more bytes
  bool beyond_ascii = false;  ///< some of the valid characters take more than one byte
};

/// The longest valid start of the text.
Utf8Prefix utf8_prefix(std::string_view text);

/// Appends a character. A surrogate becomes U+FFFD.
void append_utf8(std::string& text, std::uint32_t character);

/// The text with every byte that is no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace gpcv
