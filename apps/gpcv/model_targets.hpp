/// Targets of a model file that a command uses.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gpcv/model.hpp"

namespace gpcv::command {

/// Models of the targets that the text names, or of all targets where it is empty.
std::vector<Model> chosen_models(const std::string& path, const std::string& targets);

/// Model of the target that the text names. Throws InputError that lists the targets unless it is one.
Model chosen_model(const std::string& path, const std::string& target);

/// Throws InputError that lists the targets unless there is one; `what` is a command or an option.
void require_one_target(const std::vector<std::string>& names, const std::string& what);

/// Names of the targets.
std::vector<std::string> target_names(const std::vector<Model>& models);

/// Adds --target, of a file with several targets.
void add_model_target_option(CLI::App& command, std::string& target, const std::string& what);

}  // namespace gpcv::command
