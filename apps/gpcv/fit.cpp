#include "gpcv/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "command.hpp"
#include "console/printable.hpp"
#include "console/stopwatch.hpp"
#include "console/text.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/csv_writer.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/report.hpp"
#include "gpcv/targets.hpp"
#include "model_targets.hpp"
#include "ranks.hpp"
#include "remedies.hpp"
#include "table_output.hpp"
#include "training_run.hpp"

namespace gpcv::command {
namespace {

struct Arguments : FitArguments {
  std::string model, trace, report, checkpoint, warm, command;
  double calibration = 0;
  bool json = false, quiet = false, resume = false, verbose = false, share_kernel = false;
};

FitOptions fit_options(const Arguments& a) {
  FitOptions options = a.options();
  options.calibration = a.calibration;
  options.checkpoint = a.checkpoint;
  options.resume = a.resume;
  require_checkpoint(options);
  // An earlier model is a better start than random values.
  if (!a.warm.empty() && !a.trainer.restarts) options.train.restarts = 1;
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

/// Names of the targets.
std::vector<std::string> names_of(const std::vector<Dataset>& targets) {
  std::vector<std::string> names;
  for (const Dataset& data : targets) names.push_back(data.columns.target);
  return names;
}

/// File of one target: the file itself where there is one target.
std::string file_of(const std::string& path, const std::vector<std::string>& names, std::size_t target) {
  return path.empty() || names.size() == 1 ? path : path_of_target(path, names, target).string();
}

/// Throws InputError for a file that is to be standard output, which has what fit prints.
void require_no_standard_output(const Arguments& a) {
  const std::pair<const char*, const std::string&> files[] = {
      {"-o", a.model}, {"--trace", a.trace}, {"--report", a.report}, {"--checkpoint", a.checkpoint}};
  for (const auto& [option, file] : files) {
    if (file.empty() || !is_standard_output(file)) continue;
    throw InputError(fmt::format("{} {}: fit cannot write this to standard output; name a file", option, file));
  }
}

/// Throws InputError unless every file of a training can be written.
void require_files(const Arguments& a, const std::vector<std::string>& names) {
  a.require_other_file(a.model);
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::string trace = file_of(a.trace, names, t), report = file_of(a.report, names, t);
    const std::string checkpoint = file_of(a.checkpoint, names, t);
    a.require_other_file(trace);
    a.require_other_file(report);
    if (has_files(a.compute)) a.require_other_file(checkpoint);
    if (!trace.empty()) require_writable(trace, {a.model});
    if (!report.empty()) require_writable(report, {a.model, trace, a.warm});
    if (!checkpoint.empty() && has_files(a.compute)) require_writable(checkpoint, {a.model, trace, report, a.warm});
  }
}

/// Throws InputError for options that only one target has, or only several have.
void require_suitable_options(const Arguments& a, const std::vector<std::string>& names) {
  if (!a.share_kernel) return;
  if (names.size() == 1) {
    throw InputError(
        fmt::format("--share-kernel needs several targets, and --target names only '{}'", printable(names.front())));
  }
  if (!a.checkpoint.empty()) throw InputError("--share-kernel trains all targets together: leave out --checkpoint");
}

/// Tells the user where a training that was to be resumed begins anew.
void tell_missing_checkpoints(const Arguments& a, const std::vector<std::string>& names) {
  if (!a.resume || a.quiet) return;
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::string file = file_of(a.checkpoint, names, t);
    if (std::filesystem::exists(file)) continue;
    fmt::print(stderr, "gpcv: the checkpoint '{}' does not exist yet: training starts from the beginning\n", file);
  }
}

/// Training of one target or several: what was read and found, and what came of it.
struct Training {
  const Arguments& a;
  FitOptions options;
  std::vector<Dataset> targets = {};
  std::vector<std::string> names = {};
  std::vector<std::vector<Finding>> findings = {};      ///< of each target
  std::vector<std::shared_ptr<const Model>> warm = {};  ///< earlier model of each target; empty without them
  double read_seconds = 0, check_seconds = 0;
  std::vector<FitResult> results = {};
  std::vector<std::size_t> trained = {};  ///< the target of each result
  bool complete = true;                   ///< no target is missing among the results

  bool talks() const { return !a.json && !a.quiet; }
  bool several() const { return targets.size() > 1; }
};

/// The models of an earlier training from which this one starts.
std::vector<Model> earlier_models(const Arguments& a) {
  if (a.warm.empty()) return {};
  require_same_file(a.compute.communicator.get(), a.warm);
  return load_models(a.warm);
}

/// Gives each target the earlier model of its name; a single one is meant for a single target, whatever its name.
void start_from(std::vector<Model> earlier, Training& run) {
  if (earlier.empty()) return;
  const bool single = earlier.size() == 1 && !run.several();
  const std::vector<std::string> known = target_names(earlier);
  for (const std::string& name : run.names) {
    run.warm.push_back(std::make_shared<Model>(earlier[single ? 0 : find_targets(known, name).front()]));
  }
}

void read_and_check(Training& run) {
  std::vector<Model> earlier = earlier_models(run.a);
  const Stopwatch reading;
  run.targets = run.a.read_targets(run.options);
  run.names = names_of(run.targets);
  run.read_seconds = reading.seconds();
  require_suitable_options(run.a, run.names);
  start_from(std::move(earlier), run);
  require_files(run.a, run.names);
  const Stopwatch checking;
  run.findings.resize(run.targets.size());
  if (has_files(run.a.compute)) {
    for (std::size_t t = 0; t < run.targets.size(); ++t) {
      run.findings[t] = in_words(at_least(Severity::warning, diagnose(run.targets[t], run.a.diagnosis(run.options))));
    }
  }
  run.check_seconds = checking.seconds();
}

/// Findings about each target that were not there for those before it, for the screen.
std::vector<std::vector<Finding>> news_of(std::vector<std::vector<Finding>> findings) {
  std::set<std::string> told;
  for (std::vector<Finding>& own : findings) {
    std::erase_if(own, [&](const Finding& finding) { return !told.insert(finding.text).second; });
  }
  return findings;
}

/// Keeps what a training found, and prints its footer where another target follows.
void take(Training& run, std::size_t target, const FitResult& result) {
  run.trained.push_back(target);
  for (const Finding& finding : in_words(result.findings)) {
    run.findings[target].push_back(finding);
    if (run.talks()) fmt::print("{}", finding_lines({finding}));
  }
  if (!run.talks() || !run.several()) return;
  fmt::print("{}", fit_summary(result, brief_diagnostics(result.model, run.options.train.compute),
                               run.a.compute.communicator.get()));
  std::fflush(stdout);
}

void train(Training& run) {
  const Arguments& a = run.a;
  run.options.stoppable = [&a](double seconds) { announce_stop(seconds, a.compute, !a.model.empty()); };
  TargetsOptions options{.fit = run.options, .share_kernel = a.share_kernel, .warm = run.warm};
  options.done = [&run](Index i, const FitResult& result) { take(run, static_cast<std::size_t>(i), result); };
  if (run.several()) {
    options.failed = [](Index, const NumericalError& error) { fmt::print(stderr, "gpcv: {}\n", in_words(error)); };
  }
  run.results =
      train_with_tables(a.data, run.targets, options, {run.talks(), !a.quiet, a.verbose}, news_of(run.findings));
  run.complete = run.results.size() == run.targets.size();
  for (FitResult& result : run.results) result.model.provenance.command = a.command;
  FitResult& first = run.results.front();
  first.seconds.insert(first.seconds.begin(), {{"read", run.read_seconds}, {"check", run.check_seconds}});
}

/// What fit prints when all is done. `seen` are the diagnostics of the only target.
std::string last_words_of(const Training& run, std::optional<Diagnostics> seen) {
  const Arguments& a = run.a;
  const FitResult& first = run.results.front();
  if (a.json && !run.several()) return fit_json(first, run.options, run.findings.front()) + "\n";
  if (a.json) {
    std::vector<std::vector<Finding>> findings;
    for (const std::size_t t : run.trained) findings.push_back(run.findings[t]);
    return fit_json(run.results, run.options, findings) + "\n";
  }
  if (a.quiet) return "";
  if (!run.several()) {
    if (!seen) seen = brief_diagnostics(first.model, run.options.train.compute);
    return fit_footer(first, *seen, a.model, a.compute.communicator.get());
  }
  std::vector<const Model*> models;
  for (const FitResult& result : run.results) models.push_back(&result.model);
  return fmt::format("\n{}\n{}", targets_table(models), model_line(a.model));
}

/// Names of the targets that have no model, on standard error.
void tell_untrained(const Training& run) {
  for (std::size_t t = 0; t < run.names.size(); ++t) {
    if (std::find(run.trained.begin(), run.trained.end(), t) != run.trained.end()) continue;
    fmt::print(stderr, "gpcv: the target '{}' has no model\n", printable(run.names[t]));
  }
}

/// Pages of the reports, one per result; none where Ctrl-C has left one out.
struct Pages {
  std::vector<std::string> texts;
  std::optional<Diagnostics> of_only_target;
};

Pages pages_of(Training& run, bool wanted) {
  Pages pages;
  pages.texts.resize(run.results.size());
  for (std::size_t k = 0; wanted && k < run.results.size(); ++k) {
    FitResult& result = run.results[k];
    std::optional<Diagnostics> seen = diagnostics_unless_stopped(result, run.options.train.compute);
    if (seen && !run.a.report.empty()) pages.texts[k] = html_report(result.model, *seen, result.seconds);
    if (!run.several()) pages.of_only_target = std::move(seen);
  }
  return pages;
}

/// Writes the model, the traces and the reports. Returns the files of the reports.
std::vector<std::string> write_files(Training& run, const std::vector<std::string>& pages) {
  const Arguments& a = run.a;
  std::vector<Model> models;
  for (FitResult& result : run.results) models.push_back(std::move(result.model));
  if (!a.model.empty()) save(models, a.model);
  std::vector<std::string> reports;
  for (std::size_t k = 0; k < models.size(); ++k) {
    const Provenance& provenance = models[k].provenance;
    if (!a.trace.empty()) {
      write_csv(file_of(a.trace, run.names, run.trained[k]), provenance.trace_names, provenance.trace);
    }
    if (provenance.status != Status::converged) run.complete = false;
    if (a.quiet && has_files(a.compute)) tell_why_unfinished(provenance);
    if (a.report.empty() || pages[k].empty()) continue;
    reports.push_back(file_of(a.report, run.names, run.trained[k]));
    write_text_atomically(reports.back(), pages[k]);
  }
  return reports;
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
  require_no_standard_output(a);
  require_files(a, {""});  // before the table is read
  Training training{.a = a, .options = std::move(options)};
  read_and_check(training);
  resolve_backend(training.options.train.compute.backend);
  tell_missing_checkpoints(a, training.names);
  train(training);

  // Everything is computed before anything is written: an error then leaves the earlier files as they are.
  Pages pages = pages_of(training, wants_report);
  const std::string last_words = last_words_of(training, std::move(pages.of_only_target));
  const std::vector<std::string> reports = write_files(training, pages.texts);
  fmt::print("{}", last_words);
  for (const std::string& report : reports) {
    if (training.talks()) fmt::print("report     {}\n", report);
  }
  if (training.several() && has_files(a.compute)) tell_untrained(training);
  return training.complete ? success : not_converged;
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
      "Several targets are trained one after the other, on the same folds, into one model. --trace, --report and\n"
      "--checkpoint then have a file for each: page.NAME.html.\n"
      "  --target a,b,c                 three targets; all other columns are inputs\n"
      "  --target 'y*'                  all columns whose names begin with y\n\n"
      "Example:\n  gpcv fit houses.csv --target price --kernel 'matern52(ard)' -o houses.h5");
  add_fit_arguments(*command, *a);
  command
      ->add_option("--calibration", a->calibration,
                   "Reserve this fraction of the rows as a calibration set, for intervals with guaranteed coverage: "
                   "predict --conformal")
      ->check(fraction());
  command->add_flag("--share-kernel", a->share_kernel,
                    "Give several targets the same length scales and ratio of noise to signal");
  command->add_option("-o,--output", a->model, "Write the model to this file");
  command->add_option("--checkpoint", a->checkpoint,
                      "Save each step to this file, so that training can be resumed after an interruption");
  command->add_flag("--resume", a->resume, "Continue from the checkpoint if it exists");
  command->add_option("--warm", a->warm, "Start from the values of this earlier model; rows may have been added");
  command->add_option("--trace", a->trace, "Write every evaluation to this CSV file");
  command->add_option("--report", a->report, "Write a report with verdict and charts to this HTML file");
  command->add_flag("--json", a->json, "Print one JSON object instead of the table");
  command->add_flag("--quiet", a->quiet, "Print nothing but errors, and why training did not converge");
  add_verbose_option(*command, a->verbose);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
