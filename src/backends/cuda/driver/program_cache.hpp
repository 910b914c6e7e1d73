/// Compiled kernels on disk, so that NVRTC runs once per kernel and machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpcv::cuda {

/// A folder of compiled kernels. A folder that cannot be used, a damaged or foreign file: as if it were not there.
class ProgramCache {
 public:
  explicit ProgramCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// $XDG_CACHE_HOME/gpcv or ~/.cache/gpcv; empty (no cache) where neither is set.
  static std::filesystem::path default_folder();

  /// What `key` was stored with.
  std::optional<std::vector<char>> find(const std::string& key) const;
  void store(const std::string& key, const std::vector<char>& image) const;

  /// 32 hexadecimal digits that depend on every part: source, options, version of the compiler.
  static std::string key(std::initializer_list<std::string_view> parts);

 private:
  std::filesystem::path folder_;
};

}  // namespace gpcv::cuda
