/// Command-line options of the trainers.
#pragma once

#include <CLI/CLI.hpp>

#include "gpcv/trainer_settings.hpp"

namespace gpcv::command {

/// Adds the options of all trainers.
void add_trainer_options(CLI::App& command, TrainerSettings& settings);

}  // namespace gpcv::command
