/// gpcv: Gaussian-process regression from the command line.
#include <fmt/format.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "command.hpp"
#include "gpcv/error.hpp"
#include "gpcv/version.hpp"
#include "help_topics.hpp"
#include "library_settings.hpp"
#include "ranks.hpp"
#include "remedies.hpp"
#include "standard_streams.hpp"
#include "training_run.hpp"
#include "usage.hpp"

namespace {

using namespace gpcv;

/// Whether the ranks share the work of a command; rank 0 runs the others alone.
bool is_shared(const std::string& command) { return command == "fit" || command == "cv" || command == "predict"; }

constexpr const char* unwritable_output = "cannot write to standard output";

/// Prints the problem and gives the exit code.
int refused(const std::string& problem) {
  fmt::print(stderr, "gpcv: {}\n", problem);
  return command::bad_input;
}

int run(int argc, char** argv, const std::shared_ptr<const Communicator>& communicator) {
  CLI::App app{
      "Gaussian-process regression: trains on a table and predicts with uncertainty.\n\n"
      "First steps:\n"
      "  gpcv demo                                        run an example on the Mauna Loa CO2 record\n"
      "  gpcv check data.csv --target price               examine a table before training\n"
      "  gpcv fit data.csv --target price -o model.h5     train on all other columns\n"
      "  gpcv predict model.h5 new.csv -o predictions.csv write mean, std and a 95 % interval per row\n"
      "  gpcv evaluate model.h5 test.csv                  score predictions of rows with known targets\n"
      "  gpcv report model.h5 -o report.html              write an HTML page with scores and charts\n"
      "  gpcv plot model.h5 -o model.svg                  draw the charts as a picture",
      "gpcv"};
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.footer(
      "\n" + command::topic_list() +
      "\nExit codes: 0 success, 1 training did not converge or was stopped (the model is written if there is one),\n"
      "2 bad input or usage, 3 internal error. 'gpcv COMMAND --help' explains each command.");
  int exit_code = command::success;
  command::add_check(app, exit_code);
  command::add_fit(app, exit_code, command::command_text(argc, argv), communicator);
  command::add_predict(app, exit_code, communicator);
  command::add_evaluate(app, exit_code);
  command::add_report(app, exit_code);
  command::add_plot(app, exit_code);
  command::add_cv(app, exit_code, communicator);
  command::add_compare(app, exit_code);
  command::add_generate(app, exit_code);
  command::add_demo(app, exit_code);
  command::add_info(app, exit_code);
  command::add_help(app, exit_code);
  command::add_completion(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return refused(command::usage_error(app, error, {argv + 1, argv + argc}));
    app.exit(error);  // --help, --version
  }
  if (!command::printed_all()) return refused(unwritable_output);
  return exit_code;
}

/// Makes malloc keep freed memory. Each training step allocates the amount that the previous step freed; fetching it
/// from the system page by page took 5 % of the run time of 41 157 rows on a GPU.
void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest value that mallopt accepts
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
}

/// Whether address space is limited. A thread of OpenBLAS that waits for some would keep the program from ending.
bool address_space_is_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// What the program says of an exception, and how it ends.
struct Ending {
  std::string message;
  int exit_code = gpcv::command::internal;
  bool lacks_memory = false;
};

/// Ending for the exception in flight.
Ending ending_of_error() {
  try {
    throw;
  } catch (const gpcv::InputError& error) {
    return {gpcv::command::in_words(error), gpcv::command::bad_input};
  } catch (const gpcv::NumericalError& error) {
    return {gpcv::command::in_words(error), gpcv::command::not_converged};
  } catch (const gpcv::Interrupted& stopped) {
    return {gpcv::command::in_words(stopped), gpcv::command::not_converged};
  } catch (const gpcv::DeviceError& error) {
    return {gpcv::command::in_words(error)};
  } catch (const gpcv::OutOfMemory& error) {
    return {fmt::format("out of memory: {}", error.what()), gpcv::command::internal, true};
  } catch (const std::bad_alloc&) {
    return {"out of memory", gpcv::command::internal, true};
  } catch (const std::exception& error) {
    if (!gpcv::command::printed_all()) return {unwritable_output, gpcv::command::bad_input};
    return {fmt::format("internal error: {}", error.what())};
  }
}

}  // namespace

int main(int argc, char** argv) {
  gpcv::command::open_closed_streams();
  // A write that exceeds the limit on file sizes fails with an error instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
  keep_freed_memory();
  gpcv::command::end_on_signal("stopped");
  gpcv::command::set_library_settings(argv);
  Ending ending;
  std::unique_ptr<gpcv::command::Ranks> ranks;
  try {
    ranks = std::make_unique<gpcv::command::Ranks>(argc, argv);
    const bool helps = ranks->first() || is_shared(argc > 1 ? argv[1] : "");
    const int code = ranks->leave(helps ? run(argc, argv, ranks->communicator()) : +gpcv::command::success);
    if (address_space_is_limited()) std::quick_exit(code);
    return code;
  } catch (...) {
    ending = ending_of_error();
  }
  if (!ranks) {
    fmt::print(stderr, "gpcv: {}\n", ending.message);
    return ending.exit_code;
  }
  ranks->report(ending.message);
  if (ending.lacks_memory || address_space_is_limited()) std::quick_exit(ending.exit_code);
  return ranks->end(ending.exit_code);
}
