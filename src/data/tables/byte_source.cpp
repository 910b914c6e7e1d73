#include "data/tables/byte_source.hpp"

#include <fmt/format.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "data/tables/converted_table.hpp"
#include "data/tables/file_kind.hpp"
#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

namespace fs = std::filesystem;

// zlib copies an uncompressed file directly to the caller's buffer when the request is at least twice this size.
constexpr unsigned zlib_buffer_bytes = 1u << 16;
constexpr std::size_t largest_request = 1u << 30;

/// The path of a copy of the standard input, which is read only once. The copy has no name in the file system and is
/// gone with the process; opening its descriptor's path begins at its start.
std::string copy_of_standard_input() {
  static const std::string path = [] {
    std::FILE* copy = std::tmpfile();
    if (copy == nullptr) throw InputError(fmt::format("cannot keep the standard input: {}", std::strerror(errno)));
    std::vector<char> buffer(std::size_t{1} << 18);
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stdin)) {
      if (std::fwrite(buffer.data(), 1, count, copy) != count) break;
    }
    if (std::ferror(stdin) != 0 || std::ferror(copy) != 0 || std::fflush(copy) != 0) {
      throw InputError(fmt::format("cannot read the standard input: {}", std::strerror(errno)));
    }
    return fmt::format("/dev/fd/{}", ::fileno(copy));
  }();
  return path;
}

}  // namespace

void ByteSource::Close::operator()(gzFile_s* file) const { gzclose_r(file); }
void ByteSource::Close::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

bool is_rereadable(const fs::path& path) {
  std::error_code unknown;
  return path == standard_input || fs::is_regular_file(path, unknown);
}

ByteSource::ByteSource(const fs::path& path) : path_(path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw InputError(fmt::format("{}: this is a folder; give the path of a table (CSV or TSV)", path.string()));
  }
  errno = 0;
  const fs::path copy = path == standard_input ? fs::path(copy_of_standard_input()) : readable_copy(path);
  file_.reset(gzopen(copy.c_str(), "rb"));
  if (!file_) {
    throw InputError(fmt::format("{}: cannot open: {}; check the path", path.string(),
                                 errno != 0 ? std::strerror(errno) : "out of memory"));
  }
  gzbuffer(file_.get(), zlib_buffer_bytes);
}

std::size_t ByteSource::read(char* buffer, std::size_t size) {
  if (!begun_) begin();
  if (zstd_) return decompress(buffer, size);
  if (packed_used_ == packed_.size()) return read_file(buffer, size);
  const std::size_t count = std::min(size, packed_.size() - packed_used_);
  std::memcpy(buffer, packed_.data() + packed_used_, count);
  packed_used_ += count;
  return count;
}

/// Reads the bytes of the file; zlib decompresses gzip and passes on all else.
std::size_t ByteSource::read_file(char* buffer, std::size_t size) {
  const int count = gzread(file_.get(), buffer, static_cast<unsigned>(std::min(size, largest_request)));
  if (count <= 0) require_intact();
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

/// Reads the first bytes, which tell whether the file is zstd, or no text at all.
void ByteSource::begin() {
  begun_ = true;
  constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";
  packed_.resize(file_kind_bytes);
  std::size_t filled = 0;
  while (filled < packed_.size()) {
    const std::size_t count = read_file(packed_.data() + filled, packed_.size() - filled);
    if (count == 0) break;
    filled += count;
  }
  packed_.resize(filled);
  require_text_file(path_, packed_);
  if (packed_.starts_with(zstd_magic)) zstd_.reset(ZSTD_createDCtx());
}

std::size_t ByteSource::decompress(char* buffer, std::size_t size) {
  ZSTD_outBuffer out{buffer, size, 0};
  while (out.pos == 0) {
    if (packed_used_ == packed_.size()) {
      packed_.resize(ZSTD_DStreamInSize());
      packed_.resize(read_file(packed_.data(), packed_.size()));
      packed_used_ = 0;
      if (packed_.empty() && !frame_open_) return 0;
      if (packed_.empty()) throw InputError(fmt::format("{}: the zstd data end early; fetch it again", path_.string()));
    }
    ZSTD_inBuffer in{packed_.data(), packed_.size(), packed_used_};
    const std::size_t state = ZSTD_decompressStream(zstd_.get(), &out, &in);
    if (ZSTD_isError(state) != 0U) {
      throw InputError(fmt::format("{}: damaged zstd data ({}); fetch or compress the file again", path_.string(),
                                   ZSTD_getErrorName(state)));
    }
    packed_used_ = in.pos;
    frame_open_ = state != 0;
  }
  return out.pos;
}

void ByteSource::require_intact() const {
  int code = Z_OK;
  const char* reason = gzerror(file_.get(), &code);
  if (code == Z_OK || code == Z_STREAM_END) return;
  if (code == Z_ERRNO) {
    throw InputError(fmt::format("{}: cannot read: {}", path_.string(), std::strerror(errno)));
  }
  // The message of zlib repeats the path before the reason.
  const std::string prefix = path_.string() + ": ";
  std::string_view text = reason;
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  throw InputError(fmt::format("{}: damaged gzip data ({}); fetch or compress the file again", path_.string(), text));
}

}  // namespace gpcv::csv
