#include "core/name_lists.hpp"

#include <algorithm>

namespace gpcv {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

/// After a mismatch the last * takes one more character, so that the time is at most the product of both lengths.
bool fits_pattern(std::string_view text, std::string_view pattern) {
  std::size_t i = 0, j = 0, star = pattern.npos, taken = 0;
  while (i < text.size()) {
    if (j < pattern.size() && pattern[j] == '*') {
      star = j++;
      taken = i;
    } else if (j < pattern.size() && pattern[j] == text[i]) {
      ++i;
      ++j;
    } else if (star != pattern.npos) {
      j = star + 1;
      i = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', j) == pattern.npos;
}

bool is_list(const std::vector<std::string>& known, std::string_view text) {
  return text.find(',') != text.npos && std::none_of(known.begin(), known.end(), [&](const std::string& name) {
           return name == text || fits_pattern(name, text);
         });
}

std::vector<std::string> listed_texts(const std::vector<std::string>& known, std::string_view list) {
  const auto is_known = [&](std::string_view text) {
    return std::find(known.begin(), known.end(), without_blanks(text)) != known.end();
  };
  std::vector<std::string> texts;
  for (std::size_t first = 0; first <= list.size();) {
    // The longest name wins; a text without one ends at the next comma.
    std::size_t end = list.size();
    while (!is_known(list.substr(first, end - first))) {
      const std::size_t comma = list.substr(first, end - first).rfind(',');
      if (comma == list.npos) break;
      end = first + comma;
    }
    texts.emplace_back(without_blanks(list.substr(first, end - first)));
    first = end + 1;
  }
  return texts;
}

}  // namespace gpcv
