/// Words for wrong arguments, help on commands and topics, and completion of arguments by a shell.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace gpcv::command {

/// Commands of the program.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// Names of the commands.
std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands);
/// Names of a command's long options, without their dashes.
std::vector<std::string> long_options(const CLI::App& command);
/// What there is help on: commands, then topics.
std::vector<std::string> explained(const CLI::App& app);

/// Message for arguments that cannot be parsed; it names the command or option that was probably meant.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

}  // namespace gpcv::command
