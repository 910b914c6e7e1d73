#include <fmt/format.h>

#include "command.hpp"
#include "core/clock.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "report/diagnosis_report.hpp"
#include "report/live_line.hpp"
#include "report/quantity.hpp"
#include "trainer_options.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string data, kernel = "se(ard)", noise, folds;
  std::optional<std::string> time;
  std::optional<double> holdout;
  ReadOptions read;
  FitOptions fit;
  TrainerArguments trainer;
  bool no_standardize = false, json = false;
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
  return options;
}

/// What is going on, once it has taken two seconds.
class Progress {
 public:
  void show(const std::string& text) {
    constexpr double patience = 2;
    if (watch_.seconds() > patience) live_.show(text);
  }

 private:
  LiveLine live_{true};
  Stopwatch watch_;
};

/// Rows with missing cells are left out in any case: those that are whole have more to tell.
std::vector<Finding> findings_of(const Arguments& a, const FitOptions& fit) {
  Progress progress;
  ReadOptions read = a.read;
  if (fit.folds) read.time = fit.folds->column;
  read.missing = Missing::drop;
  read.progress = [&](Index rows) { progress.show(fmt::format("{} rows read", grouped(rows))); };
  DiagnosisOptions options{.missing = a.read.missing, .ordered_folds = a.time.has_value()};
  options.progress = [&](std::string_view step) { progress.show(fmt::format("looking at {}", step)); };
  try {
    return diagnose_fit(read_dataset(a.data, read), fit, options);
  } catch (const InputError& error) {
    return {{Severity::error, "unreadable", error.what()}};
  }
}

int run(const Arguments& a) {
  const FitOptions fit = fit_options(a);
  resolve_backend(fit.train.compute.backend);
  const std::vector<Finding> findings = findings_of(a, fit);
  fmt::print("{}", a.json ? diagnosis_json(findings) + "\n" : diagnosis_text(findings));
  return would_train(findings) ? success : bad_input;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("check", "Look at a table before training: what is odd, what it will cost");
  command->footer(
      "\nTakes the options of fit that decide what is trained and how. One line per finding says what was\n"
      "found and what to do; notes inform, warnings deserve a look, errors are what fit would refuse.\n"
      "Rows are counted from 1, below the header. Exit codes: 0 training would start, 2 it would not.\n\n"
      "Example:\n  gpcv check houses.csv --target price");
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
  command->add_option("--time", a->time, "Forward-chaining instead, COLUMN[:BLOCKS[:WIDTH]]")
      ->excludes(folds)
      ->excludes(holdout);
  add_trainer_options(*command, a->trainer);
  add_seed_option(*command, a->fit.train.seed, "Seed of everything random");
  add_compute_options(*command, a->fit.train.compute);
  command->add_flag("--no-standardize", a->no_standardize, "Use inputs and target as they are");
  command->add_flag("--json", a->json, "Print one JSON object");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
