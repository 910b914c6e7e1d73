/// The text of a file as UTF-8, whatever its encoding.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "data/tables/byte_source.hpp"

namespace gpcv::csv {

/// An encoding of text. Latin-1 is read as Windows-1252, which has more characters at the same places. A mixed text is
/// UTF-8 with some bytes in Latin-1.
enum class Encoding { utf8, latin1, utf16, mixed };

/// The encoding is UTF-16 after its byte-order mark, and otherwise UTF-8 until a byte is none. When only ASCII came
/// before that byte, the text is Latin-1. Where the source ends a piece of its bytes makes no difference.
class TextSource {
 public:
  explicit TextSource(const std::filesystem::path& path) : bytes_(path) {}

  /// Fills `buffer` with up to `size` bytes of UTF-8 without a byte-order mark; 0 at the end.
  std::size_t read(char* buffer, std::size_t size);

  /// The encoding of the text that was read so far.
  Encoding encoding() const { return encoding_; }

 private:
  void fetch(std::size_t size);
  void recognise_mark();
  void convert();
  void take_utf8();
  void take_latin1(std::size_t count);
  void take_utf16();

  ByteSource bytes_;
  Encoding encoding_ = Encoding::utf8;
  bool little_endian_ = false;
  bool begun_ = false;
  bool ended_ = false;
  bool beyond_ascii_ = false;  ///< some character of the UTF-8 so far takes more than one byte
  std::string raw_;            ///< bytes that are not converted yet: at most one incomplete character between reads
  std::string ready_;          ///< converted text
  std::size_t delivered_ = 0;  ///< bytes of `ready_` that were handed out
};

}  // namespace gpcv::csv
