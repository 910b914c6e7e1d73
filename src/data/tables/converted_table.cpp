#include "data/tables/converted_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace gpcv::csv {

std::filesystem::path readable_copy(const std::filesystem::path& path) {
  const char* const converted = std::getenv("GPCV_CONVERTED");
  std::string_view lines = converted != nullptr ? converted : "";
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && line.substr(colon + 1) == path.native()) return line.substr(0, colon);
  }
  return path;
}

}  // namespace gpcv::csv
