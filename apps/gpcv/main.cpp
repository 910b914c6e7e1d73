/// gpcv: Gaussian-process regression from the command line.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <new>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "command.hpp"
#include "gpcv/error.hpp"
#include "gpcv/version.hpp"
#include "known_processor.hpp"
#include "ranks.hpp"
#include "remedies.hpp"
#include "training_run.hpp"

namespace {

using namespace gpcv;

/// Message for a usage error. "A subcommand is required" usually means that the command was mistyped.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  const std::string lists = dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr
                                ? ""
                                : "; lists are separated by commas without blanks, as in --keep a,b,c";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
    if (names.back() == first) return error.what() + lists;
  }
  if (first.empty()) return fmt::format("a command is required: {}; see 'gpcv --help'", fmt::join(names, ", "));
  if (first[0] == '-') return error.what();
  return fmt::format("unknown command '{}'; the commands are {}", first, fmt::join(names, ", "));
}

/// Whether the ranks share the work of a command; rank 0 runs the others alone.
bool is_shared(const std::string& command) { return command == "fit" || command == "cv" || command == "predict"; }

int run(int argc, char** argv, const std::shared_ptr<const Communicator>& communicator) {
  CLI::App app{
      "Gaussian-process regression: trains on a table and predicts with uncertainty.\n\n"
      "First steps:\n"
      "  gpcv demo                                        run an example on the Mauna Loa CO2 record\n"
      "  gpcv check data.csv --target price               examine a table before training\n"
      "  gpcv fit data.csv --target price -o model.h5     train on all other columns\n"
      "  gpcv predict model.h5 new.csv -o predictions.csv write mean, std and a 95 % interval per row\n"
      "  gpcv evaluate model.h5 test.csv                  score predictions of rows with known targets\n"
      "  gpcv report model.h5 -o report.html              write an HTML page with scores and charts",
      "gpcv"};
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.footer(
      "\nExit codes: 0 success, 1 training did not converge or was stopped (the model is still written),\n"
      "2 bad input or usage, 3 internal error. 'gpcv COMMAND --help' explains each command.");
  int exit_code = command::success;
  command::add_check(app, exit_code);
  command::add_fit(app, exit_code, command::command_text(argc, argv), communicator);
  command::add_predict(app, exit_code, communicator);
  command::add_evaluate(app, exit_code);
  command::add_report(app, exit_code);
  command::add_cv(app, exit_code, communicator);
  command::add_compare(app, exit_code);
  command::add_generate(app, exit_code);
  command::add_demo(app, exit_code);
  command::add_info(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "gpcv: {}\n", explain(app, error, argc, argv));
    return command::bad_input;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "gpcv: cannot write to standard output\n");
    return command::bad_input;
  }
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

/// Exit code of the exception in flight; `message` receives its description.
int explain_error(std::string& message) {
  try {
    throw;
  } catch (const gpcv::InputError& error) {
    message = gpcv::command::in_words(error);
    return gpcv::command::bad_input;
  } catch (const gpcv::NumericalError& error) {
    message = gpcv::command::in_words(error);
    return gpcv::command::not_converged;
  } catch (const gpcv::Interrupted& stopped) {
    message = gpcv::command::in_words(stopped);
    return gpcv::command::not_converged;
  } catch (const gpcv::DeviceError& error) {
    message = gpcv::command::in_words(error);
    return gpcv::command::internal;
  } catch (const std::bad_alloc&) {
    message = "out of memory";
    return gpcv::command::internal;
  } catch (const std::exception& error) {
    message = fmt::format("internal error: {}", error.what());
    return gpcv::command::internal;
  }
}

}  // namespace

int main(int argc, char** argv) {
  // A write that exceeds the limit on file sizes fails with an error instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
  keep_freed_memory();
  gpcv::command::tell_blas_the_processor(argv);
  std::string message;
  int exit_code = gpcv::command::internal;
  std::unique_ptr<gpcv::command::Ranks> ranks;
  try {
    ranks = std::make_unique<gpcv::command::Ranks>(argc, argv);
    const bool helps = ranks->first() || is_shared(argc > 1 ? argv[1] : "");
    exit_code = helps ? run(argc, argv, ranks->communicator()) : static_cast<int>(gpcv::command::success);
    return ranks->leave(exit_code);
  } catch (...) {
    exit_code = explain_error(message);
  }
  if (!ranks) {
    fmt::print(stderr, "gpcv: {}\n", message);
    return exit_code;
  }
  ranks->report(message);
  return ranks->end(exit_code);
}
