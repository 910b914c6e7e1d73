/// A cache of compiled kernels on disk, so that NVRTC runs once per kernel and machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpcv::cuda {

/// A folder of compiled kernels. An unusable folder and damaged or foreign files are treated as missing.
class ProgramCache {
 public:
  explicit ProgramCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The folder $XDG_CACHE_HOME/gpcv or ~/.cache/gpcv; empty (no cache) if neither variable is set.
  static std::filesystem::path default_folder();

  /// The image stored under `key`.
  std::optional<std::vector<char>> find(const std::string& key) const;
  void store(const std::string& key, const std::vector<char>& image) const;

  /// A hash of all parts (source, options, version of the compiler) as 32 hexadecimal digits.
  static std::string key(std::initializer_list<std::string_view> parts);

 private:
  std::filesystem::path folder_;
};

}  // namespace gpcv::cuda
