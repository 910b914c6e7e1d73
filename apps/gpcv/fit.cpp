#include "gpcv/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>

#include "command.hpp"
#include "console/stopwatch.hpp"
#include "console/text.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/csv_writer.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/report.hpp"
#include "ranks.hpp"
#include "remedies.hpp"
#include "training_run.hpp"

namespace gpcv::command {
namespace {

struct Arguments : FitArguments {
  std::string model, trace, report, checkpoint, warm, command;
  double calibration = 0;
  bool json = false, quiet = false, resume = false, verbose = false;
};

FitOptions fit_options(const Arguments& a) {
  FitOptions options = a.options();
  options.calibration = a.calibration;
  options.checkpoint = a.checkpoint;
  options.resume = a.resume;
  require_checkpoint(options);
  if (!a.warm.empty()) {
    require_same_file(a.compute.communicator.get(), a.warm);
    options.warm = std::make_shared<Model>(load_model(a.warm));
    if (options.choose_kernel) options.keep_kernel_of(*options.warm);
    if (!a.trainer.restarts) options.train.restarts = 1;  // the model is a better start than random values
  }
  return options;
}

/// What Ctrl-C does while a result is there to be kept.
void announce_stop(double seconds, const ComputeOptions& compute, bool writes) {
  if (!has_files(compute)) return;  // one rank speaks for all
  const std::string time = seconds < 100 ? fmt::format("{:.0f} s", std::ceil(seconds)) : duration(seconds);
  stop_on_signal(fmt::format("stopping; the {} in about {}; press Ctrl-C again to end at once",
                             writes ? "model is written" : "result is there", time));
}

/// What the report shows; none where Ctrl-C has left it out. Ranks compute it together, and stop together.
std::optional<Diagnostics> diagnostics_unless_stopped(FitResult& result, ComputeOptions compute) {
  compute.stop = [communicator = compute.communicator] { return any_rank_stops(communicator.get()); };
  try {
    if (compute.stop()) throw Interrupted("stopped");
    return diagnostics_of(result.model, compute);
  } catch (const Interrupted&) {
    result.leave_out("report");
    return std::nullopt;
  }
}

/// What fit prints when all is done.
std::string last_words_of(const FitResult& result, std::optional<Diagnostics> seen, const Arguments& a,
                          const FitOptions& options, const std::vector<Finding>& findings) {
  if (a.json) return fit_json(result, options, findings) + "\n";
  if (a.quiet) return "";
  if (!seen) seen = brief_diagnostics(result.model, options.train.compute);
  return fit_footer(result, *seen, a.model, a.compute.communicator.get());
}

int run(Arguments a) {
  if (!shared(a.compute.communicator.get()))
    end_on_signal("stopped before the first error was known; no model is written");
  share_machine(a.compute, a.threads_given());
  FitOptions options = fit_options(a);
  const std::future<void> ready = prepare_device(options.train.compute);
  const bool wants_report = !a.report.empty();
  if (!has_files(a.compute)) {
    a.model = a.trace = a.report = "";
    a.json = false;
    a.quiet = true;
  }
  a.require_other_file(a.model);
  a.require_other_file(a.trace);
  a.require_other_file(a.report);
  if (has_files(a.compute)) a.require_other_file(a.checkpoint);
  if (!a.trace.empty()) require_writable(a.trace, {a.model});
  if (!a.report.empty()) require_writable(a.report, {a.model, a.trace, a.warm});
  if (!a.checkpoint.empty() && has_files(a.compute))
    require_writable(a.checkpoint, {a.model, a.trace, a.report, a.warm});

  const Stopwatch reading;
  const Dataset data = a.read_data(options);
  const double read_seconds = reading.seconds();
  const Stopwatch checking;
  std::vector<Finding> findings;
  if (has_files(a.compute)) {
    findings = in_words(at_least(Severity::warning, diagnose(data, a.diagnosis(options))));
  }
  const double check_seconds = checking.seconds();
  resolve_backend(options.train.compute.backend);
  if (a.resume && !a.quiet && !std::filesystem::exists(a.checkpoint)) {
    fmt::print(stderr, "gpcv: the checkpoint '{}' does not exist yet: training starts from the beginning\n",
               a.checkpoint);
  }
  const bool talk = !a.json && !a.quiet;
  options.stoppable = [&a](double seconds) { announce_stop(seconds, a.compute, !a.model.empty()); };
  FitResult result = train_with_table(a.data, data, options, {talk, !a.quiet, a.verbose}, findings);
  for (const Finding& finding : in_words(result.findings)) {
    findings.push_back(finding);
    if (talk) fmt::print("{}", finding_lines({finding}));
  }
  result.model.provenance.command = a.command;
  result.seconds.insert(result.seconds.begin(), {{"read", read_seconds}, {"check", check_seconds}});

  // Everything is computed before anything is written: an error then leaves the earlier files as they are.
  std::optional<Diagnostics> seen;
  if (wants_report) seen = diagnostics_unless_stopped(result, options.train.compute);
  std::string page;
  if (seen && !a.report.empty()) page = html_report(result.model, *seen, result.seconds);
  const std::string last_words = last_words_of(result, std::move(seen), a, options, findings);
  if (!a.model.empty()) save(result.model, a.model);
  if (!a.trace.empty()) write_csv(a.trace, result.model.provenance.trace_names, result.model.provenance.trace);
  if (!a.report.empty() && !page.empty()) write_text_atomically(a.report, page);
  fmt::print("{}", last_words);
  if (talk && !a.report.empty() && !page.empty()) fmt::print("report     {}\n", a.report);
  return result.model.provenance.status == Status::converged ? success : not_converged;
}

}  // namespace

void add_fit(CLI::App& app, int& exit_code, const std::string& command_line,
             const std::shared_ptr<const Communicator>& communicator) {
  auto a = std::make_shared<Arguments>();
  a->compute.communicator = communicator;
  a->command = command_line;
  CLI::App* command = app.add_subcommand("fit", "Train a Gaussian process on a table");
  command->footer(
      fmt::format("\nKernels: {}, joined by + and *.\n", fmt::join(family_names(), " ")) +
      "  auto                           chosen by cross-validation among several kernels (the default)\n"
      "  se(ard)                        one length scale per input\n"
      "  se(l=3, s2=1:fixed) + lp(l=1, p=2)   start values; ':fixed' holds a value\n"
      "  matern52(ard, on=[age,2])      use only the input age and, counted from 0, input 2\n"
      "  se(on=\"wind speed\")            quotes around a name with blanks, commas or brackets\n"
      "  se(l=0.5@a) + lp(l=@a)         tie two parameters to one value\n"
      "  rq(l=0.5 in [0.01,10])         bounds\n"
      "Inputs and target are standardised first (a single input is only shifted), so length scales\n"
      "and variances are in those units.\n\n"
      "Keep related rows in one fold; otherwise the error estimate is optimistic.\n"
      "  --groups patient               all rows of a patient are in one fold\n"
      "  --blocks 5:kmeans              regions of the inputs, each predicted from the rows outside it\n"
      "  --time date                    5 blocks of equal row counts, each predicted from everything before it\n"
      "  --time date:8:0.5              8 blocks of WIDTH 0.5 in the column's units, dates count in years\n\n"
      "Example:\n  gpcv fit houses.csv --target price --kernel 'matern52(ard)' -o houses.h5");
  add_fit_arguments(*command, *a);
  command
      ->add_option("--calibration", a->calibration,
                   "Reserve this fraction of the rows as a calibration set, for intervals with guaranteed coverage: "
                   "predict --conformal")
      ->check(fraction());
  command->add_option("-o,--output", a->model, "Write the model to this file");
  command->add_option("--checkpoint", a->checkpoint,
                      "Save each step to this file, so that training can be resumed after an interruption");
  command->add_flag("--resume", a->resume, "Continue from the checkpoint if it exists");
  command->add_option("--warm", a->warm, "Start from the values of this earlier model; rows may have been added");
  command->add_option("--trace", a->trace, "Write every evaluation to this CSV file");
  command->add_option("--report", a->report, "Write a report with verdict and charts to this HTML file");
  command->add_flag("--json", a->json, "Print one JSON object instead of the table");
  command->add_flag("--quiet", a->quiet, "Print nothing but errors");
  add_verbose_option(*command, a->verbose);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
