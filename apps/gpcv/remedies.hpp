/// Remedies for errors and findings, worded for the command: they name its flags.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"

namespace gpcv::command {

/// Text quoted for a shell. Single quotes protect every character but the quote itself; a text with control characters
/// is replaced by a placeholder.
std::string as_argument(const std::string& text);

/// Remedy as half a sentence; empty when there is none.
std::string remedy_text(Remedy remedy, const std::vector<std::string>& facts);

/// Message of an error with its remedy: "problem; remedy".
std::string in_words(const Error& error);

/// Findings with each remedy appended to its text.
std::vector<Finding> in_words(std::vector<Finding> findings);

}  // namespace gpcv::command
