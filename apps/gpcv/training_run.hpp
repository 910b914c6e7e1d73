/// Training with its iteration table on the screen and a clean stop on Ctrl-C.
#pragma once

#include "fit_arguments.hpp"

namespace gpcv::command {

/// Trains and shows the progress. `rows` prints the table on standard output, `live` the live line on standard error.
FitResult train_with_table(const std::string& source, const Dataset& data, FitOptions options, bool rows, bool live,
                           const std::vector<Finding>& findings = {});

/// Command line, quoted so that it can be typed again.
std::string command_text(int argc, char** argv);

}  // namespace gpcv::command
