/// The bytes of a file, decompressed if it is gzip or zstd.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

struct gzFile_s;
struct ZSTD_DCtx_s;

namespace gpcv::csv {

/// The path that stands for the standard input.
constexpr const char* standard_input = "-";

/// Whether a table can be read again from its beginning: it is a file, or the standard input, of which a copy is kept.
bool is_rereadable(const std::filesystem::path& path);

/// A source reads forward only, so that it can be a pipe. Its first bytes tell whether it is compressed.
class ByteSource {
 public:
  /// Throws InputError when the file is missing, a directory or unreadable.
  explicit ByteSource(const std::filesystem::path& path);

  /// Fills `buffer` with up to `size` bytes; 0 at the end. Throws InputError on damaged compressed data.
  std::size_t read(char* buffer, std::size_t size);

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
    void operator()(ZSTD_DCtx_s* context) const;
  };

  std::size_t read_file(char* buffer, std::size_t size);
  void begin();
  std::size_t decompress(char* buffer, std::size_t size);
  void require_intact() const;

  std::filesystem::path path_;
  std::unique_ptr<gzFile_s, Close> file_;
  bool begun_ = false;
  std::string packed_;  ///< bytes of the file that were read and not handed out or decompressed
  std::size_t packed_used_ = 0;
  std::unique_ptr<ZSTD_DCtx_s, Close> zstd_;
  bool frame_open_ = false;  ///< a frame of zstd is not complete
};

}  // namespace gpcv::csv
