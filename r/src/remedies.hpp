/// Remedies for errors and findings, worded for R: they name its arguments.
#pragma once

#include <string>
#include <vector>

#include "gpcv/error.hpp"

namespace gpcv::r {

/// Remedy as half a sentence; empty when there is none.
std::string remedy_text(Remedy remedy, const std::vector<std::string>& facts);

/// Message of an error with its remedy: "problem; remedy".
std::string in_words(const Error& error);

}  // namespace gpcv::r
