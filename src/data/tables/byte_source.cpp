#include "data/tables/byte_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

namespace fs = std::filesystem;

// zlib copies an uncompressed file directly to the caller's buffer when the request is at least twice this size.
constexpr unsigned zlib_buffer_bytes = 1u << 16;
constexpr std::size_t largest_request = 1u << 30;

}  // namespace

void ByteSource::Close::operator()(gzFile_s* file) const { gzclose_r(file); }

ByteSource::ByteSource(const fs::path& path) : path_(path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw InputError(fmt::format("{}: this is a folder; give the path of a table (CSV or TSV)", path.string()));
  }
  errno = 0;
  file_.reset(gzopen(path.c_str(), "rb"));
  if (!file_) {
    throw InputError(fmt::format("{}: cannot open: {}; check the path", path.string(),
                                 errno != 0 ? std::strerror(errno) : "out of memory"));
  }
  gzbuffer(file_.get(), zlib_buffer_bytes);
}

std::size_t ByteSource::read(char* buffer, std::size_t size) {
  const int count = gzread(file_.get(), buffer, static_cast<unsigned>(std::min(size, largest_request)));
  if (count <= 0) require_intact();
  return count > 0 ? static_cast<std::size_t>(count) : 0;
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
