/// Pages for man, made of the texts of --help.
#pragma once

#include <string>

#include "command.hpp"
#include "help_topics.hpp"

namespace gpcv::command {

/// Page of a command, or of the program itself, in the language of man.
std::string man_page(const CLI::App& app, const CLI::App& command);

/// Page of a topic, in section 7.
std::string man_page(const CLI::App& app, const HelpTopic& topic);

}  // namespace gpcv::command
