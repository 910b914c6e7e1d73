/// Files with a checksum in a user block ahead of the data: the common part of model files and checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpcv {

/// A kind of file: its magic bytes, and its name in messages.
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

/// Writes the file atomically. The user block with the checksum of the rest replaces the first checksum_block_size
/// bytes.
void write_checksummed(const std::filesystem::path& path, const ChecksummedKind& kind, std::string bytes);

/// All bytes of the file, whose checksum has been verified; throws InputError. The data are read only if the user block
/// is plausible.
ChecksummedBytes read_checksummed(const std::filesystem::path& path, const ChecksummedKind& kind);

}  // namespace gpcv
