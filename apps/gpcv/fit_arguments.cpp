#include "fit_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"
#include "gpcv/targets.hpp"
#include "model_targets.hpp"
#include "ranks.hpp"

namespace gpcv::command {
FitOptions FitArguments::options() const {
  FitOptions options;
  options.train.trainer = trainer.trainer;
  options.use_kernel(kernel);
  options.candidates = candidates;
  options.assess = choice_named(assess, {Assess::automatic, Assess::nested, Assess::inner});
  if (!candidates.empty() && !options.choose_kernel) {
    throw InputError(
        "--candidates restricts the choice of a kernel: use it with --kernel auto and trainer gauss-newton");
  }
  if (!noise.empty()) options.use_noise(noise);
  if (options.noise_model != NoiseModel::constant && !weight_column.empty()) {
    throw InputError(fmt::format("--weight-column states the noise of each row: leave out --noise {}", noise));
  }
  if (!noise.empty() && !noise_column.empty()) {
    throw InputError("--noise-column defines the noise: leave out --noise, or use --weight-column instead");
  }
  options.mean = choice_named(mean, {Mean::zero, Mean::constant, Mean::linear});
  options.transform = TransformOptions::parse(transform);
  if (!options.transform.is_none() && !noise_column.empty()) {
    throw InputError("--noise-column is in units of the target, which --transform changes: leave out one of them");
  }
  options.train.seed = seed;
  options.train.compute = compute;
  trainer.apply(options);
  if (no_standardize) options.standardize = false;
  options.robust = robust;
  if (!folds.empty()) options.folds = FoldOptions::parse(folds);
  if (holdout) options.folds = FoldOptions{.kind = FoldOptions::Kind::holdout, .fraction = *holdout};
  if (!groups.empty()) options.folds = FoldOptions::parse_groups(groups);
  if (!blocks.empty()) options.folds = FoldOptions::parse_blocks(blocks);
  if (!fold_column.empty()) options.folds = FoldOptions{.kind = FoldOptions::Kind::column, .column = fold_column};
  if (time) options.folds = FoldOptions::parse_time(*time);
  return options;
}

ReadOptions FitArguments::reading(const FitOptions& options) const {
  ReadOptions wanted = read;
  if (options.folds) options.folds->ask(wanted);
  wanted.noise = noise_column.empty() ? weight_column : noise_column;
  wanted.noise_is_weight = noise_column.empty();
  wanted.keep_ids = wanted.keep_ids || robust;  // rows of little weight are named
  return wanted;
}

DiagnosisOptions FitArguments::diagnosis(const FitOptions& options) const {
  using Kind = FoldOptions::Kind;
  const Kind kind = options.folds.value_or(FoldOptions{}).kind;
  const bool ordered = kind != Kind::random && kind != Kind::interleaved && kind != Kind::holdout;
  return {.missing = read.missing, .ordered_folds = ordered, .transform = options.transform.known()};
}

void FitArguments::require_other_file(const std::string& output) const {
  if (output.empty()) return;
  require_writable(output, {data});
  for (const std::filesystem::path& file : read.more) require_writable(output, {file});
}

namespace {

/// Throws InputError, which names the table and one of several targets, unless a model can be trained on the data.
void require_trainable_table(const std::string& table, const Dataset& data, bool several) {
  try {
    require_trainable(data);
  } catch (const InputError& error) {
    const std::size_t dropped = data.reading.dropped.size();
    throw InputError(
        fmt::format("{}: {}{}{}", table, several ? fmt::format("target '{}': ", data.columns.target) : "", error.what(),
                    dropped > 0 ? fmt::format("; rows left out because of missing cells: {}", dropped) : ""),
        error.remedy(), error.facts());
  }
}

}  // namespace

std::vector<Dataset> FitArguments::read_targets(const FitOptions& options) const {
  require_same_file(compute.communicator.get(), data);
  for (const std::filesystem::path& file : read.more) require_same_file(compute.communicator.get(), file.string());
  std::vector<Dataset> targets;
  if (has_files(compute)) targets = gpcv::read_targets(data, reading(options), {read.target});
  broadcast(compute.communicator.get(), targets);
  for (const Dataset& target : targets) require_trainable_table(data, target, targets.size() > 1);
  return targets;
}

Dataset FitArguments::read_data(const FitOptions& options, const std::string& command) const {
  std::vector<Dataset> targets = read_targets(options);
  std::vector<std::string> names;
  for (const Dataset& target : targets) names.push_back(target.columns.target);
  require_one_target(names, command);
  return std::move(targets.front());
}

namespace {

/// Adds the kernel and how its error is assessed, unless the command compares kernels of its own.
void add_kernel_options(CLI::App& command, FitArguments& a, bool with_kernel) {
  if (with_kernel) {
    command
        .add_option("--kernel", a.kernel,
                    "Covariance function; auto chooses it by cross-validation (se(ard) for other trainers than "
                    "gauss-newton)")
        ->capture_default_str();
    command
        .add_option("--candidates", a.candidates,
                    fmt::format("Kernels from which auto chooses, separated by commas (default: all of {})",
                                fmt::join(candidate_names(), ", ")))
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        .add_option(
            "--assess", a.assess,
            "Error, coverage and calibration: of the inner folds that choose the parameters, which is optimistic "
            "where there are few rows; nested, of outer folds that repeat the whole training; auto, nested where "
            "that is quick")
        ->check(CLI::IsMember({"auto", "nested", "inner"}))
        ->capture_default_str();
  }
}

/// Adds the kinds of folds, of which at most one may be given.
void add_fold_options(CLI::App& command, FitArguments& a) {
  const std::string group = "Folds of cross-validation (at most one option)";
  std::vector<CLI::Option*> ways;
  ways.push_back(command.add_option("--folds", a.folds, "K random folds, or K:interleaved (default: 5)"));
  ways.push_back(command
                     .add_option("--holdout", a.holdout,
                                 "One fold that validates this fraction of the rows (default of admm: 0.5)")
                     ->check(fraction()));
  ways.push_back(command.add_option("--groups", a.groups,
                                    "COLUMN[:K]: rows with equal values stay in one fold (patients, sites, batches)"));
  ways.push_back(
      command.add_option("--blocks", a.blocks,
                         "K contiguous blocks in table order, K:COLUMN in the order of a column, K:kmeans clusters of "
                         "the inputs"));
  ways.push_back(command.add_option("--time", a.time,
                                    "COLUMN[:BLOCKS[:WIDTH]], forward chaining: each block is predicted from all "
                                    "rows before it"));
  ways.push_back(command.add_option("--fold-column", a.fold_column,
                                    "COLUMN with the fold that validates each row; rows with empty cells only train"));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    ways[i]->group(group);
    for (std::size_t j = 0; j < i; ++j) ways[i]->excludes(ways[j]);
  }
}

/// Takes the files of the table. A word that is no file is probably a column behind a blank.
void take_files(const std::vector<std::string>& files, FitArguments& a) {
  a.data = files.front();
  a.read.more.assign(files.begin() + 1, files.end());
  for (const std::filesystem::path& file : a.read.more) {
    if (std::filesystem::exists(file)) continue;
    throw CLI::ValidationError(
        fmt::format("'{}' is no file; lists of columns are separated by commas without blanks, as in --features a,b,c",
                    file.string()));
  }
}

void add_column_options(CLI::App& command, FitArguments& a) {
  command
      .add_option_function<std::vector<std::string>>(
          "DATA", [&a](const std::vector<std::string>& files) { take_files(files, a); },
          "CSV or TSV file, optionally compressed by gzip or zstd, or - for the standard input; several files with the "
          "same header are one table")
      ->required()
      ->expected(1, CLI::detail::expected_max_vector_size);
  command
      .add_option("--target", a.read.target,
                  "Column to predict: name or 0-based index, negative from the end; fit takes several, separated by "
                  "commas or as a pattern with *")
      ->required();
  command
      .add_option("--features", a.read.features, "Columns to predict from, separated by commas (default: all others)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--categorical", a.read.categorical,
                  "Features that hold text, separated by commas; each level becomes an indicator")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--id", a.read.id,
                     "Column that identifies the rows: never an input, copied to the output of predict and cv");
  add_header_option(command, a.read.header);
  add_missing_option(command, a.read.missing, "drop the row");
  add_cell_options(command, a.read.missing_texts, a.read.decimal);
}

}  // namespace

void add_fit_arguments(CLI::App& command, FitArguments& a, bool with_kernel) {
  add_column_options(command, a);
  add_kernel_options(command, a, with_kernel);
  command
      .add_option(
          "--mean", a.mean,
          "Mean function: zero, constant or linear in the inputs; each fold estimates it from its training rows")
      ->check(CLI::IsMember({"zero", "constant", "linear"}))
      ->capture_default_str();
  command
      .add_option("--transform", a.transform,
                  "Transform of the target: log[:OFFSET], logit[:LOWER:UPPER], sqrt or yeo-johnson[:LAMBDA]; auto "
                  "chooses one by held-out rows; predictions are in the target's units")
      ->capture_default_str();
  command.add_option(
      "--noise", a.noise,
      "Start value of the noise variance, or VALUE:fixed to hold it; learned: a variance that depends on "
      "the inputs; auto: learned where held-out rows are predicted better");
  auto* noise_column = command.add_option("--noise-column", a.noise_column,
                                          "Column with the known standard deviation of each row's noise");
  command
      .add_option("--weight-column", a.weight_column,
                  "Column with the weight of each row; its noise variance is the trained one divided by the weight")
      ->excludes(noise_column);

  command.add_flag("--robust", a.robust,
                   "Give rows that contradict the model little weight, and name them; scores are those of the others");

  add_fold_options(command, a);
  add_trainer_options(command, a.trainer);
  add_seed_option(command, a.seed, "Seed of all random numbers");
  add_compute_options(command, a.compute);
  add_parallel_option(command, a.compute);
  a.threads = command.get_option("--threads");
  command.add_flag("--no-standardize", a.no_standardize, "Do not standardise inputs and target");
}

void add_verbose_option(CLI::App& command, bool& verbose) {
  command.add_flag("--verbose", verbose, "Print also how training computes, and what it needs memory for");
}

}  // namespace gpcv::command
