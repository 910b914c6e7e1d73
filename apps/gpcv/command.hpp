/// What the subcommands share: exit codes, common options, a clean stop.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gpcv/dataset.hpp"
#include "gpcv/operator.hpp"

namespace gpcv::command {

/// The contract with scripts.
enum Exit { success = 0, not_converged = 1, bad_input = 2, internal = 3 };

/// A subcommand adds itself and runs when it was the one chosen; its exit code lands in `exit_code`.
void add_fit(CLI::App& app, int& exit_code);
void add_predict(CLI::App& app, int& exit_code);
void add_evaluate(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);

/// --threads, --backend, --precision
void add_compute_options(CLI::App& command, OperatorOptions& options);
/// --header
void add_header_option(CLI::App& command, Header& header);

/// While it lives, Ctrl-C (and a request to terminate) asks for a clean stop; the second one ends at once.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  static bool requested();
};

}  // namespace gpcv::command
