/// Presets of the ADMM trainers: the paper's text and its authors' programs.
#pragma once

#include <string>

#include "gpcv/fit.hpp"

namespace gpcv {

/// Applies the preset "paper" or "authors" to the options, without what it holds. The preset of the authors needs a
/// kernel of their programs and throws InputError for any other.
void apply_preset(const std::string& preset, FitOptions& options);

/// What the options of a preset are, in one line.
std::string preset_in_words(const std::string& preset, const FitOptions& options);

}  // namespace gpcv
