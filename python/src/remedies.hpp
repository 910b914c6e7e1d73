/// Remedies for errors, worded for the Python package: they name its parameters.
#pragma once

#include <string>
#include <vector>

#include "gpcv/error.hpp"

namespace gpcv::python {

/// Remedy as half a sentence; empty when there is none.
std::string remedy_text(Remedy remedy, const std::vector<std::string>& facts);

/// Message of an error with its remedy: "problem; remedy".
std::string in_words(const Error& error);

}  // namespace gpcv::python
