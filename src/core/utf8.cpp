#include "core/utf8.hpp"

#include <cstring>

namespace gpcv {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// The position of the first byte from `begin` on that is no ASCII.
std::size_t skip_ascii(std::string_view text, std::size_t begin) {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  for (std::uint64_t eight = 0; begin + sizeof(eight) <= text.size(); begin += sizeof(eight)) {
    std::memcpy(&eight, text.data() + begin, sizeof(eight));
    if ((eight & high_bits) != 0) break;
  }
  while (begin < text.size() && byte_at(text, begin) < 0x80) ++begin;
  return begin;
}

/// The number of bytes of the character that the byte begins; 0 when it begins none.
std::size_t length_of(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

/// Whether the second byte may follow the first: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool may_follow(unsigned char lead, unsigned char second) {
  if ((second & 0xC0) != 0x80) return false;
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xED) return second < 0xA0;
  if (lead == 0xF0) return second >= 0x90;
  if (lead == 0xF4) return second < 0x90;
  return true;
}

}  // namespace

Utf8Prefix utf8_prefix(std::string_view text) {
  Utf8Prefix found;
  for (;;) {
    found.size = skip_ascii(text, found.size);
    if (found.size == text.size()) return found;
    const unsigned char lead = byte_at(text, found.size);
    const std::size_t length = length_of(lead);
    if (length == 0) return found;
    for (std::size_t i = 1; i < length; ++i) {
      if (found.size + i == text.size()) {
        found.incomplete = true;
        return found;
      }
      const unsigned char next = byte_at(text, found.size + i);
      if (i == 1 ? !may_follow(lead, next) : (next & 0xC0) != 0x80) return found;
    }
    found.size += length;
    found.beyond_ascii = true;
  }
}

void append_utf8(std::string& text, std::uint32_t character) {
  if (character >= 0xD800 && character <= 0xDFFF) character = replacement;
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0 | (character >> 6));
    put(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    put(0xE0 | (character >> 12));
    put(0x80 | ((character >> 6) & 0x3F));
    put(0x80 | (character & 0x3F));
  } else {
    put(0xF0 | (character >> 18));
    put(0x80 | ((character >> 12) & 0x3F));
    put(0x80 | ((character >> 6) & 0x3F));
    put(0x80 | (character & 0x3F));
  }
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for (;;) {
    const std::size_t size = utf8_prefix(text).size;
    valid += text.substr(0, size);
    if (size == text.size()) return valid;
    append_utf8(valid, replacement);
    text.remove_prefix(size + 1);
  }
}

}  // namespace gpcv
