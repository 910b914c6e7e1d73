/// The bytes of a file, decompressed if it is gzip.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

struct gzFile_s;

namespace gpcv::csv {

/// A source reads forward only, so that it can be a pipe. Its first bytes tell whether it is gzip.
class ByteSource {
 public:
  /// Throws InputError when the file is missing, a directory or unreadable.
  explicit ByteSource(const std::filesystem::path& path);

  /// Fills `buffer` with up to `size` bytes; 0 at the end. Throws InputError on damaged gzip data.
  std::size_t read(char* buffer, std::size_t size);

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };

  void require_intact() const;

  std::filesystem::path path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace gpcv::csv
