/// Escaped text for the page: a column's name cannot end the element that contains it.
#pragma once

#include <string>
#include <string_view>

namespace gpcv {

/// Text escaped for an element or an attribute.
std::string html_escaped(std::string_view text);

/// JSON escaped for a <script> element: '<' is written as \u003c.
std::string script_escaped(std::string_view json);

}  // namespace gpcv
