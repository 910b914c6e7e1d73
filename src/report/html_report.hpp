/// A model's report: one page that needs nothing else, not even a network.
#pragma once

#include <string>
#include <string_view>

#include "assessment/diagnostics.hpp"

namespace gpcv {

/// Phases of a training and what they took; a model file does not keep them.
using Seconds = std::vector<std::pair<std::string, double>>;

std::string html_report(const Model& model, const Diagnostics& seen, const Seconds& seconds);

/// Text that ends neither an element nor an attribute.
std::string html_escaped(std::string_view text);

/// JSON that does not end the <script> it stands in: '<' is written as \u003c.
std::string script_escaped(std::string_view json);

}  // namespace gpcv
