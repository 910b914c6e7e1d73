/// What the subcommands share: exit codes, common options, a clean stop.
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

/// The contract with scripts.
enum Exit { success = 0, not_converged = 1, bad_input = 2, internal = 3 };

/// A subcommand adds itself and runs when it was the one chosen; its exit code lands in `exit_code`.
void add_check(CLI::App& app, int& exit_code);
void add_fit(CLI::App& app, int& exit_code, const std::string& command_line,
             const std::shared_ptr<const Communicator>& communicator);
void add_cv(CLI::App& app, int& exit_code, const std::shared_ptr<const Communicator>& communicator);
void add_compare(CLI::App& app, int& exit_code);
void add_predict(CLI::App& app, int& exit_code, const std::shared_ptr<const Communicator>& communicator);
void add_evaluate(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);

/// A whole number of at least `least`.
CLI::Validator whole_number(long long least);
/// Strictly between 0 and 1.
CLI::Validator fraction();

/// --threads, --backend, --precision, --solver, --rank, --memory
void add_compute_options(CLI::App& command, ComputeOptions& options);
/// --parallel
void add_parallel_option(CLI::App& command, ComputeOptions& options);
/// --variance
void add_variance_option(CLI::App& command, VarianceMethod& method);
/// --seed
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& what);
/// --header
void add_header_option(CLI::App& command, Header& header);
/// --missing
void add_missing_option(CLI::App& command, Missing& missing);

/// While it lives, Ctrl-C (and a request to terminate) asks for a clean stop; the second one ends at once.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  static bool requested();

 private:
  void (*previous_interrupt_)(int);
  void (*previous_terminate_)(int);
};

}  // namespace gpcv::command
