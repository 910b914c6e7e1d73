/// Words for wrong arguments, help on commands, and completion of arguments by a shell.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace gpcv::command {

/// Message for arguments that cannot be parsed; it names the command or option that was probably meant.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

}  // namespace gpcv::command
