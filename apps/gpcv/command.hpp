/// Parts that the subcommands share: exit codes, common options, a clean stop.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpcv/communicator.hpp"
#include "gpcv/dataset.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv::command {

/// Exit codes of the program, on which scripts rely.
enum Exit { success = 0, not_converged = 1, bad_input = 2, internal = 3 };

/// Each function adds a subcommand, which runs when it is chosen and stores its exit code in `exit_code`.
void add_check(CLI::App& app, int& exit_code);
void add_fit(CLI::App& app, int& exit_code, const std::string& command_line,
             const std::shared_ptr<const Communicator>& communicator);
void add_cv(CLI::App& app, int& exit_code, const std::shared_ptr<const Communicator>& communicator);
void add_compare(CLI::App& app, int& exit_code);
void add_predict(CLI::App& app, int& exit_code, const std::shared_ptr<const Communicator>& communicator);
void add_evaluate(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_help(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);

/// Validator of whole numbers that are at least `least`.
CLI::Validator whole_number(long long least);
/// Validator of numbers strictly between 0 and 1.
CLI::Validator fraction();

/// Adds --threads, --backend, --precision, --solver, --rank and --memory.
void add_compute_options(CLI::App& command, ComputeOptions& options);
/// Adds --parallel.
void add_parallel_option(CLI::App& command, ComputeOptions& options);
/// Adds --variance.
void add_variance_option(CLI::App& command, VarianceMethod& method);
/// Adds --seed.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& what);
/// Adds --header.
void add_header_option(CLI::App& command, Header& header);
/// Adds --missing; `what` says what becomes of a row with a missing cell.
void add_missing_option(CLI::App& command, Missing& missing, const std::string& what);
/// Adds --na and --decimal: the meaning of cells.
void add_cell_options(CLI::App& command, std::vector<std::string>& missing_texts, Decimal& decimal);
/// Adds --header, --missing, --na, --decimal and --unseen, the options of a table that is read for a model.
void add_like_options(CLI::App& command, LikeOptions& options, const std::string& missing_rows);
/// Prints on standard error what was assumed when a table was read.
void tell_reading(const Reading& reading);
/// Prints what was assumed when a table with several targets was read, each assumption once.
void tell_readings(const std::vector<Dataset>& targets);

/// From here on Ctrl-C or a request to terminate ends the program at once, with the message and exit code 1. A signal
/// that the caller ignores, as for a background job, stays ignored.
void end_on_signal(const std::string& message);
/// From here on the first one prints the message and asks for a clean end, and the second ends the program at once. Any
/// thread may call this.
void stop_on_signal(const std::string& message);
/// Whether a clean end is asked for.
bool stop_requested();
/// Whether any of the ranks was told to stop, asked by all of them together: a signal may reach one alone.
bool any_rank_stops(const Communicator* communicator);

}  // namespace gpcv::command
