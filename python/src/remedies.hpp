/// What the library says can be done about an error, in the words of the Python package: its parameters.
#pragma once

#include <string>
#include <vector>

#include "gpcv/error.hpp"

namespace gpcv::python {

/// The remedy as half a sentence; empty when there is none.
std::string remedy_text(Remedy remedy, const std::vector<std::string>& facts);

/// "problem; remedy"
std::string in_words(const Error& error);

}  // namespace gpcv::python
