/// Lists and patterns of names, as users write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpcv {

/// Whether the text fits the pattern, in which * stands for any text, also for none.
bool fits_pattern(std::string_view text, std::string_view pattern);

/// Whether the text is a list: it has a comma, but is no known name and no pattern that one of them fits.
bool is_list(const std::vector<std::string>& known, std::string_view text);

/// The texts between commas, without blanks around them. Neighbours that are a known name together with the commas
/// between them stay together.
std::vector<std::string> listed_texts(const std::vector<std::string>& known, std::string_view list);

}  // namespace gpcv
