/// Texts of tables and models without the control characters that a terminal would obey.
#pragma once

#include <string>
#include <string_view>

namespace gpcv::command {

/// The text with every control character as an escape sequence, such as \n or \x1b.
std::string printable(std::string_view text);

/// The same with line ends and tabs as they are.
std::string printable_lines(std::string_view text);

}  // namespace gpcv::command
