/// Files of several targets, one beside the other.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "gpcv/targets.hpp"

namespace gpcv {
namespace {

/// Length of a name in a file name, which may have 255 bytes.
constexpr std::size_t longest_part = 120;

/// The name with an underscore for each character that a file name cannot contain, or that a shell gives a meaning.
std::string file_part(std::string name) {
  const auto is_unsuited = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' ||
           std::string_view("/\\:*?\"'<>|`$&;!~\x7f").find(c) != std::string_view::npos;
  };
  std::replace_if(name.begin(), name.end(), is_unsuited, '_');
  if (name.size() <= longest_part) return name;
  std::size_t end = longest_part;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // whole characters of UTF-8
  return name.substr(0, end);
}

}  // namespace

std::filesystem::path path_of_target(const std::filesystem::path& path, const std::vector<std::string>& names,
                                     std::size_t target) {
  std::set<std::string> taken;
  std::string part;
  for (std::size_t t = 0; t <= target; ++t) {
    const std::string own = file_part(names[t]);
    part = own;
    for (int k = 2; !taken.insert(part).second; ++k) part = fmt::format("{}-{}", own, k);
  }
  std::filesystem::path out = path;
  out.replace_filename(path.stem().string() + "." + part + path.extension().string());
  return out;
}

}  // namespace gpcv
