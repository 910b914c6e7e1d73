#include "data/tables/text_source.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/utf8.hpp"

namespace gpcv::csv {
namespace {

constexpr std::size_t longest_mark = 3;

/// Characters of Windows-1252 from 0x80 to 0x9F; the five that it leaves undefined are those of Latin-1.
constexpr std::array<std::uint16_t, 32> windows_1252 = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                                        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

}  // namespace

std::size_t TextSource::read(char* buffer, std::size_t size) {
  while (delivered_ == ready_.size()) {
    ready_.clear();
    delivered_ = 0;
    fetch(size);
    if (ended_ && raw_.empty()) return 0;
    convert();
  }
  const std::size_t count = std::min(size, ready_.size() - delivered_);
  std::memcpy(buffer, ready_.data() + delivered_, count);
  delivered_ += count;
  return count;
}

/// Reads more bytes. The first call reads at least a byte-order mark.
void TextSource::fetch(std::size_t size) {
  do {
    if (ended_) break;
    const std::size_t kept = raw_.size();
    raw_.resize(kept + size);
    const std::size_t count = bytes_.read(raw_.data() + kept, size);
    raw_.resize(kept + count);
    ended_ = count == 0;
  } while (!begun_ && raw_.size() < longest_mark);
  if (!begun_) recognise_mark();
  begun_ = true;
}

void TextSource::recognise_mark() {
  if (raw_.starts_with("\xEF\xBB\xBF")) {
    raw_.erase(0, 3);
  } else if (raw_.starts_with("\xFF\xFE") || raw_.starts_with("\xFE\xFF")) {
    encoding_ = Encoding::utf16;
    little_endian_ = raw_[0] == '\xFF';
    raw_.erase(0, 2);
  }
}

void TextSource::convert() {
  switch (encoding_) {
    case Encoding::utf8:
    case Encoding::mixed:
      take_utf8();
      break;
    case Encoding::latin1:
      take_latin1(raw_.size());
      break;
    case Encoding::utf16:
      take_utf16();
      break;
  }
}

void TextSource::take_utf8() {
  for (;;) {
    const Utf8Prefix prefix = utf8_prefix(raw_);
    ready_.append(raw_, 0, prefix.size);
    raw_.erase(0, prefix.size);
    beyond_ascii_ = beyond_ascii_ || prefix.beyond_ascii;
    if (raw_.empty() || (prefix.incomplete && !ended_)) return;
    encoding_ = beyond_ascii_ ? Encoding::mixed : Encoding::latin1;
    take_latin1(encoding_ == Encoding::mixed ? 1 : raw_.size());
  }
}

void TextSource::take_latin1(std::size_t count) {
  for (const char c : std::string_view(raw_).substr(0, count)) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(ready_, byte >= 0x80 && byte < 0xA0 ? windows_1252[byte - 0x80U] : byte);
  }
  raw_.erase(0, count);
}

void TextSource::take_utf16() {
  const auto unit_at = [&](std::size_t i) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(raw_[i]), second = static_cast<unsigned char>(raw_[i + 1]);
    return little_endian_ ? first | second << 8 : first << 8 | second;
  };
  std::size_t at = 0;
  while (at + 2 <= raw_.size()) {
    const std::uint32_t unit = unit_at(at);
    const bool leads = unit >= 0xD800 && unit < 0xDC00;
    if (leads && at + 4 > raw_.size() && !ended_) break;
    const std::uint32_t next = leads && at + 4 <= raw_.size() ? unit_at(at + 2) : 0;
    const bool pair = next >= 0xDC00 && next < 0xE000;
    append_utf8(ready_, pair ? 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00) : unit);
    at += pair ? 4 : 2;
  }
  raw_.erase(0, at);
  if (!ended_ || raw_.empty()) return;
  append_utf8(ready_, 0xFFFD);  // half of a unit at the end
  raw_.clear();
}

}  // namespace gpcv::csv
