#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "command.hpp"
#include "core/atomic_file.hpp"
#include "core/clock.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "report/fit_report.hpp"
#include "report/iteration_table.hpp"
#include "trainer_options.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string data, model, trace, kernel = "se(ard)", noise, folds, checkpoint, warm;
  std::optional<std::string> time;
  std::optional<double> holdout;
  ReadOptions read;
  FitOptions fit;
  TrainerArguments trainer;
  bool no_standardize = false, json = false, quiet = false, resume = false;
};

FitOptions fit_options(const Arguments& a) {
  FitOptions options = a.fit;
  options.kernel = Kernel::parse(a.kernel);
  if (!a.noise.empty()) options.noise = Noise::parse(a.noise);
  options.standardize = !a.no_standardize;
  a.trainer.apply(options.train);
  if (a.trainer.paper()) hold_variances(options.kernel, options.noise);
  if (!a.folds.empty()) options.folds = FoldOptions::parse(a.folds);
  if (a.holdout) options.folds = FoldOptions{.kind = FoldOptions::Kind::holdout, .fraction = *a.holdout};
  if (a.time) options.folds = FoldOptions::parse_time(*a.time);
  if (a.resume && a.checkpoint.empty()) throw InputError("--resume needs the file to go on from: --checkpoint FILE");
  if (!a.checkpoint.empty() && !uses_folds(options.train.trainer)) {
    throw InputError(fmt::format("--checkpoint is an option of trainers that cross-validate, not of {}",
                                 options.train.trainer));
  }
  options.checkpoint = a.checkpoint;
  options.resume = a.resume;
  if (!a.warm.empty()) {
    options.warm = std::make_shared<Model>(load_model(a.warm));
    if (!a.trainer.restarts) options.train.restarts = 1;  // it is a better start than any at random
  }
  return options;
}

int run(const Arguments& a) {
  FitOptions options = fit_options(a);
  resolve_backend(options.train.compute.backend);
  if (!a.model.empty()) require_writable(a.model, {a.data});
  if (!a.trace.empty()) require_writable(a.trace, {a.data, a.model});
  if (!a.checkpoint.empty()) require_writable(a.checkpoint, {a.data, a.model, a.trace, a.warm});

  const Stopwatch reading;
  ReadOptions read = a.read;
  if (options.folds) read.time = options.folds->column;
  const Dataset data = read_dataset(a.data, read);
  const double read_seconds = reading.seconds();
  try {
    require_trainable(data);
  } catch (const InputError& error) {
    const std::size_t dropped = data.reading.dropped.size();
    throw InputError(fmt::format("{}: {}{}", a.data, error.what(),
                                 dropped > 0 ? fmt::format("; {} with missing cells were left out", dropped) : ""));
  }
  const Stopwatch checking;
  const DiagnosisOptions diagnosis{.missing = read.missing, .ordered_folds = a.time.has_value()};
  const std::vector<Finding> findings = at_least(Severity::warning, diagnose(data, diagnosis));
  const double check_seconds = checking.seconds();

  const bool talk = !a.json && !a.quiet;
  IterationTable table({a.data, data.columns.target, data.columns.features, options, findings}, talk, !a.quiet);
  if (a.resume && !a.quiet && !std::filesystem::exists(a.checkpoint)) {
    fmt::print(stderr, "gpcv: there is no checkpoint '{}' yet: starting from the beginning\n", a.checkpoint);
  }
  const StopOnSignal stop;
  options.train.compute.stop = [&] {
    table.tick();
    return StopOnSignal::requested();
  };
  FitResult result = fit(
      data, options,
      [&](const IterationRecord& record) {
        table.row(record);
        return !StopOnSignal::requested();
      },
      [&](const Problem& problem, const std::string& plan) { table.begin(problem, plan); });
  table.end();
  result.seconds.insert(result.seconds.begin(), {{"read", read_seconds}, {"check", check_seconds}});

  if (!a.model.empty()) save(result.model, a.model);
  if (!a.trace.empty()) write_trace(result.model, a.trace);
  if (a.json) fmt::print("{}\n", fit_json(result, options, findings));
  if (talk) fmt::print("{}", fit_footer(result, a.model));
  return result.model.status == Status::converged ? success : not_converged;
}

}  // namespace

void add_fit(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("fit", "Train a Gaussian process on a table");
  command->footer(
      "\nKernels: se lp periodic matern12 matern32 matern52 rq linear const, joined by + and *.\n"
      "  se(ard)                        one length scale per input (the default)\n"
      "  se(l=3, s2=1:fixed) + lp(l=1, p=2)   start values; ':fixed' holds one\n"
      "  matern52(ard, on=[0,2])        only inputs 0 and 2\n"
      "  se(l=0.5@a) + lp(l=@a)         one value for both\n"
      "  rq(l=0.5 in [0.01,10])         bounds\n"
      "Inputs and target are standardised first (a single input is only shifted), so length scales\n"
      "and variances are in those units.\n\n"
      "Folds in time order, forward-chaining: each block is predicted from everything before it.\n"
      "  --time date                    5 blocks of equal row counts\n"
      "  --time date:8:0.5              8 blocks of WIDTH 0.5 in the column's units, dates count in years\n\n"
      "Example:\n  gpcv fit houses.csv --target price --kernel 'matern52(ard)' -o houses.h5");
  command->add_option("DATA", a->data, "CSV or TSV file, may be gzipped")->required();
  command->add_option("--target", a->read.target, "Column to predict: name or 0-based index, negative from the end")
      ->required();
  command
      ->add_option("--features", a->read.features, "Columns to predict from, separated by commas (default: all others)")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_header_option(*command, a->read.header);
  add_missing_option(*command, a->read.missing);
  command->add_option("--kernel", a->kernel, "Covariance function")->capture_default_str();
  command->add_option("--noise", a->noise, "Start value of the noise variance, or VALUE:fixed to hold it");
  auto* folds = command->add_option("--folds", a->folds, "Folds of cross-validation: K, or K:interleaved (default: 5)");
  auto* holdout = command
                      ->add_option("--holdout", a->holdout,
                                   "One fold instead: this fraction of the rows validates (default of admm: 0.5)")
                      ->check(fraction())
                      ->excludes(folds);
  command
      ->add_option("--time", a->time,
                   "Forward-chaining instead, COLUMN[:BLOCKS[:WIDTH]]: each block is predicted from all before it")
      ->excludes(folds)
      ->excludes(holdout);
  add_trainer_options(*command, a->trainer);
  add_seed_option(*command, a->fit.train.seed, "Seed of everything random");
  add_compute_options(*command, a->fit.train.compute);
  command->add_flag("--no-standardize", a->no_standardize, "Use inputs and target as they are");
  command->add_option("-o,--output", a->model, "Write the model to this file");
  command->add_option("--checkpoint", a->checkpoint,
                      "Save each step to this file, so that nothing is lost when the process ends (gauss-newton)");
  command->add_flag("--resume", a->resume, "Go on from the checkpoint when it exists");
  command->add_option("--warm", a->warm, "Start from the values of this earlier model, also after rows were added");
  command->add_option("--trace", a->trace, "Write every evaluation to this CSV file");
  command->add_flag("--json", a->json, "Print one JSON object instead of the table");
  command->add_flag("--quiet", a->quiet, "Print nothing but errors");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
