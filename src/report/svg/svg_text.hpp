/// Text and numbers in SVG pictures.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpcv {

/// Text escaped for an element or an attribute of XML. Bytes that are not UTF-8, and characters that XML does not
/// permit, become the replacement character U+FFFD.
std::string svg_text(std::string_view text);

/// Text of at most `most` characters, the last of which is an ellipsis where some are left out; bytes that are not
/// UTF-8 are replaced.
std::string shortened(std::string_view text, std::size_t most);

/// Label of a multiple of `step` on an axis up to ± `largest`, with the digits that tell multiples apart: "−0.5", and
/// powers of ten for very large and small axes.
std::string tick_text(double value, double step, double largest);

}  // namespace gpcv
