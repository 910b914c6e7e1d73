#include "backends/cuda/driver/program_cache.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"

namespace gpcv::cuda {
namespace {

constexpr std::string_view magic = "gpcv kernel 1";

/// The FNV-1a hash.
class Hash {
 public:
  explicit Hash(std::uint64_t start) : state_(start) {}
  void add(std::string_view bytes) {
    for (char byte : bytes) state_ = (state_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_;
};

std::string header(const std::string& key, std::string_view image) {
  Hash sum(0xCBF29CE484222325ULL);
  sum.add(image);
  return fmt::format("{} {} {} {:016x}\n", magic, key, image.size(), sum.value());
}

std::string_view view(const std::vector<char>& bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace

std::filesystem::path ProgramCache::default_folder() {
  // The XDG specification requires relative paths to be ignored.
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::filesystem::path(cache) / "gpcv";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::filesystem::path(home) / ".cache" / "gpcv";
  return {};
}

std::string ProgramCache::key(std::initializer_list<std::string_view> parts) {
  Hash low(0xCBF29CE484222325ULL), high(0x9E3779B97F4A7C15ULL);
  for (std::string_view part : parts) {
    const std::string length = fmt::format("{}:", part.size());
    for (Hash* hash : {&low, &high}) {
      hash->add(length);
      hash->add(part);
    }
  }
  return fmt::format("{:016x}{:016x}", low.value(), high.value());
}

std::optional<std::vector<char>> ProgramCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(folder_ / (key + ".kernel"), std::ios::binary);
  std::string first;
  if (!std::getline(file, first)) return std::nullopt;
  std::vector<char> image{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (first + "\n" != header(key, view(image))) return std::nullopt;
  return image;
}

void ProgramCache::store(const std::string& key, const std::vector<char>& image) const {
  if (folder_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  if (failed) return;
  std::string text = header(key, view(image));
  text.append(image.data(), image.size());
  try {
    write_text_atomically(folder_ / (key + ".kernel"), text);
  } catch (const Error&) {
    return;  // a full or read-only disk only costs another compilation
  }
}

}  // namespace gpcv::cuda
