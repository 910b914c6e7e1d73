/// What the library says can be done about an error or a finding, in the words of the command: its flags.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"

namespace gpcv::command {

/// The remedy as half a sentence; empty when there is none.
std::string remedy_text(Remedy remedy, const std::vector<std::string>& facts);

/// "problem; remedy"
std::string in_words(const Error& error);

/// The findings with each remedy appended to its text.
std::vector<Finding> in_words(std::vector<Finding> findings);

}  // namespace gpcv::command
