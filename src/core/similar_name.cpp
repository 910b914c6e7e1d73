#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>

#include "gpcv/named.hpp"

namespace gpcv {
namespace {

/// The Levenshtein distance, ignoring case: the least number of letters to insert, delete or change.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char p, char q) {
    return std::tolower(static_cast<unsigned char>(p)) == std::tolower(static_cast<unsigned char>(q));
  };
  std::vector<std::size_t> previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    current[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      current[j + 1] = std::min({previous[j] + !same(a[i], b[j]), previous[j + 1] + 1, current[j] + 1});
    }
    std::swap(previous, current);
  }
  return previous.back();
}

}  // namespace

std::string similar_name(const std::vector<std::string>& names, std::string_view wanted) {
  std::string nearest;
  std::size_t least = 2 + wanted.size() / 3;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(name, wanted);
    if (distance < least && distance < wanted.size()) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace gpcv
