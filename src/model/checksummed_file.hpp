/// Bytes behind a user block that tells whether they are whole: what model files and checkpoints have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpcv {

/// A kind of file: how it introduces itself, and what a person calls it.
struct ChecksummedKind {
  std::string_view magic;  ///< eight bytes
  std::string_view name;   ///< "gpcv model"
  std::uint32_t version = 1;
  std::string_view remedy;  ///< "copy or train it again"
};

constexpr std::size_t checksum_block_size = 512;

struct ChecksummedBytes {
  std::string bytes;  ///< the whole file, user block included
  std::uint32_t version = 0;
};

/// Writes atomically. The first checksum_block_size bytes are replaced by the user block with the checksum of the rest.
void write_checksummed(const std::filesystem::path& path, const ChecksummedKind& kind, std::string bytes);

/// All bytes of the file once its seal has been found whole; throws InputError. Only the user block is read before that
/// is plausible.
ChecksummedBytes read_checksummed(const std::filesystem::path& path, const ChecksummedKind& kind);

}  // namespace gpcv
