/// Training with its iteration table on the screen and a clean stop on Ctrl-C.
#pragma once

#include "fit_arguments.hpp"
#include "gpcv/targets.hpp"

namespace gpcv::command {

/// What a training shows.
struct Talk {
  bool rows = false;     ///< the table, on standard output
  bool live = false;     ///< the live line, on standard error
  bool verbose = false;  ///< memory and solver above the table
};

/// Trains and shows the progress.
FitResult train_with_table(const std::string& source, const Dataset& data, FitOptions options, const Talk& talk,
                           const std::vector<Finding>& findings = {});

/// Trains each target and shows the progress, with the findings about each target. A heading precedes each of several.
std::vector<FitResult> train_with_tables(const std::string& source, const std::vector<Dataset>& targets,
                                         TargetsOptions options, const Talk& talk,
                                         const std::vector<std::vector<Finding>>& findings);

/// Prints why a training ended without convergence, on standard error; a stop by the user has been announced.
void tell_why_unfinished(const Provenance& provenance);

/// Command line, quoted so that it can be typed again.
std::string command_text(int argc, char** argv);

}  // namespace gpcv::command
