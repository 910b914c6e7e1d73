/// Scripts that complete commands, options and their values in a shell.
#pragma once

#include <string>

#include "command.hpp"

namespace gpcv::command {

/// Script for bash.
std::string bash_completion(const CLI::App& app);
/// Script for zsh.
std::string zsh_completion(const CLI::App& app);
/// Script for fish.
std::string fish_completion(const CLI::App& app);

}  // namespace gpcv::command
