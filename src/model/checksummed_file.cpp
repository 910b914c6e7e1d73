#include "model/checksummed_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

// Layout of the user block, which precedes the HDF5 data. Integers are little-endian.
constexpr std::size_t block_size = checksum_block_size;
constexpr std::size_t at_version = 8;          // u32
constexpr std::size_t at_payload_crc = 12;     // u32
constexpr std::size_t at_payload_length = 16;  // u64
constexpr std::size_t at_block_crc = 24;       // u32, of the block with this field zero
constexpr std::size_t at_text = 32;

template <class Number>
void put(std::string& bytes, std::size_t at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

template <class Number>
Number get(std::string_view bytes, std::size_t at) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value |= static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t block_checksum(std::string block) {
  put(block, at_block_crc, std::uint32_t{0});
  return checksum(block);
}

/// User block of the payload.
std::string checksummed_block(std::string_view payload, const ChecksummedKind& kind) {
  const std::string text_line = fmt::format("\n{} file; HDF5 data starts at byte {}\n", kind.name, block_size);
  std::string block(block_size, '\0');
  std::copy(kind.magic.begin(), kind.magic.end(), block.begin());
  put(block, at_version, kind.version);
  put(block, at_payload_crc, checksum(payload));
  put(block, at_payload_length, static_cast<std::uint64_t>(payload.size()));
  std::copy(text_line.begin(), text_line.end(), block.begin() + at_text);
  put(block, at_block_crc, block_checksum(block));
  return block;
}

[[noreturn]] void refuse(const fs::path& path, std::string_view reason) {
  throw InputError(fmt::format("'{}' {}", path.string(), reason));
}

/// Last word of the name: "model" for "gpcv model".
std::string_view short_name(const ChecksummedKind& kind) { return kind.name.substr(kind.name.rfind(' ') + 1); }

}  // namespace

void write_checksummed(const fs::path& path, const ChecksummedKind& kind, std::string bytes) {
  const std::string block = checksummed_block(std::string_view(bytes).substr(block_size), kind);
  bytes.replace(0, block_size, block);
  write_text_atomically(path, bytes);
}

ChecksummedBytes read_checksummed(const fs::path& path, const ChecksummedKind& kind) {
  const std::string_view magic = kind.magic;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw InputError(fmt::format("cannot open {} '{}': {}", short_name(kind), path.string(), error.message()));
  }
  if (fs::is_directory(status)) refuse(path, fmt::format("is a directory, not a {}", kind.name));
  if (!fs::is_regular_file(status)) refuse(path, fmt::format("is not a regular file, so not a {}", kind.name));

  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError(fmt::format("cannot open {} '{}': {}", short_name(kind), path.string(), std::strerror(errno)));
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw InputError(fmt::format("cannot open {} '{}': {}", short_name(kind), path.string(), error.message()));
  if (size == 0) refuse(path, fmt::format("is empty, so not a {}", kind.name));

  std::string bytes(static_cast<std::size_t>(std::min<std::uintmax_t>(size, block_size)), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::size_t known = std::min(bytes.size(), magic.size());
  if (!file || bytes.compare(0, known, magic, 0, known) != 0) refuse(path, fmt::format("is not a {}", kind.name));
  const std::string truncated = fmt::format("is truncated: the end of the file is missing; {}", kind.remedy);
  if (bytes.size() >= at_version + 4 && get<std::uint32_t>(bytes, at_version) > kind.version) {
    refuse(path, fmt::format("was written by a newer gpcv (format {}; this program reads up to {}): upgrade",
                             get<std::uint32_t>(bytes, at_version), kind.version));
  }
  if (size < block_size) refuse(path, truncated);
  const std::string corrupted = fmt::format("is corrupted: its checksum does not match; {}", kind.remedy);
  if (get<std::uint32_t>(bytes, at_block_crc) != block_checksum(bytes)) refuse(path, corrupted);

  const auto payload = get<std::uint64_t>(bytes, at_payload_length);
  if (size - block_size < payload) refuse(path, truncated);
  if (size - block_size > payload) refuse(path, fmt::format("is corrupted: bytes follow its end; {}", kind.remedy));
  bytes.resize(static_cast<std::size_t>(size));
  file.read(bytes.data() + block_size, static_cast<std::streamsize>(payload));
  if (!file) refuse(path, truncated);
  if (checksum(std::string_view(bytes).substr(block_size)) != get<std::uint32_t>(bytes, at_payload_crc)) {
    refuse(path, corrupted);
  }
  const auto version = get<std::uint32_t>(bytes, at_version);
  return {std::move(bytes), version};
}

}  // namespace gpcv
