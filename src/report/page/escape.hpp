/// Text inside a page: nothing in a column's name can end the element it stands in.
#pragma once

#include <string>
#include <string_view>

namespace gpcv {

/// Text that ends neither an element nor an attribute.
std::string html_escaped(std::string_view text);

/// JSON that does not end the <script> it stands in: '<' is written as \u003c.
std::string script_escaped(std::string_view json);

}  // namespace gpcv
