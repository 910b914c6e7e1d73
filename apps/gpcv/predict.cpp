#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "command.hpp"
#include "console/printable.hpp"
#include "far_rows.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/row_stream.hpp"
#include "model_targets.hpp"
#include "ranks.hpp"
#include "table_output.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string model, data, output, covariance, target;
  PredictionColumns columns;
  LikeOptions read;
  std::string id;
  Index samples = 0;
  std::uint64_t seed = 1;
  ComputeOptions compute;
  const CLI::Option* threads = nullptr;
};

std::vector<std::string> numbered(const char* stem, Index count) {
  std::vector<std::string> names;
  for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

/// "target 'b': " where there are several targets.
std::string about_target(const std::vector<Posterior>& posteriors, const Posterior& own) {
  return posteriors.size() > 1 ? fmt::format("target '{}': ", printable(own.model().columns.target)) : std::string();
}

/// Tells the user when variances are upper bounds instead of exact.
void announce_variance(const std::vector<Posterior>& posteriors, const Arguments& a) {
  for (const Posterior& posterior : posteriors) {
    const PredictOptions& options = a.columns.options;
    if (options.variance.kind != VarianceMethod::Kind::automatic || options.mean_only || a.samples > 0) continue;
    const VarianceMethod chosen = posterior.resolved(options.variance, rows_per_prediction_batch, options.latent);
    if (chosen.kind != VarianceMethod::Kind::neighbours) continue;
    fmt::print(stderr,
               "gpcv: {}std is an upper bound from the {} nearest training points (--variance exact for exact)\n",
               about_target(posteriors, posterior), chosen.neighbours);
  }
}

/// Tells the user when a factorisation needed jitter.
void report_jitter(const std::vector<Posterior>& posteriors) {
  for (const Posterior& posterior : posteriors) {
    if (posterior.jitter() == 0) continue;
    fmt::print(stderr, "gpcv: {}{:.1e} was added to the diagonal of the covariance to factorise it\n",
               about_target(posteriors, posterior), posterior.jitter());
  }
}

/// Every rank has the same files to read, and the one that writes can.
void require_files(const Arguments& a) {
  const Communicator* communicator = a.compute.communicator.get();
  require_same_file(communicator, a.model);
  require_same_file(communicator, a.data);
  if (!has_files(a.compute)) return;
  require_table(a.output, {a.model, a.data});
  require_table(a.covariance, {a.model, a.data, a.output});
  if (is_standard_output(a.output) && !a.covariance.empty() && is_standard_output(a.covariance)) {
    throw InputError("--covariance and the predictions cannot both go to standard output: write one to a file");
  }
}

/// All rows of a table, some of which may have missing inputs.
struct AllRows {
  Matrix x;
  Vector noise;
  std::vector<std::string> names;              ///< of the columns that are passed on
  std::vector<std::vector<std::string>> kept;  ///< their texts
  std::vector<Index> complete;                 ///< rows without missing inputs
};

AllRows read_rows(const Arguments& a, const Columns& columns) {
  RowStream stream(a.data, columns, a.read);
  AllRows all;
  all.names = stream.kept_names();
  RowBatch batch;
  while (stream.next(rows_per_prediction_batch, batch) > 0) {
    const Index before = all.x.rows(), count = batch.x.rows();
    all.x.conservativeResize(before + count, batch.x.cols());
    all.x.bottomRows(count) = batch.x;
    if (batch.noise.size() > 0) {
      all.noise.conservativeResize(before + count);
      all.noise.tail(count) = batch.noise;
    }
    all.kept.insert(all.kept.end(), batch.kept.begin(), batch.kept.end());
  }
  for (Index i = 0; i < all.x.rows(); ++i) {
    const bool noise = all.noise.size() == 0 || std::isfinite(all.noise(i));
    if (noise && all.x.row(i).allFinite()) all.complete.push_back(i);
  }
  tell_reading(stream.reading());
  return all;
}

/// Writes a matrix with a row for each complete row of the table; the others are empty. The texts come first.
void write_matrix(const std::string& path, const AllRows& all, std::vector<std::string> names, const Matrix& values) {
  write_table(path, [&](CsvWriter& writer) {
    names.insert(names.begin(), all.names.begin(), all.names.end());
    writer.header(names);
    Matrix table = Matrix::Constant(all.x.rows(), values.cols(), std::numeric_limits<double>::quiet_NaN());
    table(all.complete, Eigen::all) = values;
    write_rows(writer, all.kept, table);
    writer.finish();
  });
}

/// The covariance of all rows and the draws, as far as they are asked for; these need all rows at once.
void write_joint(const Posterior& posterior, const Arguments& a) {
  const bool files = has_files(a.compute);
  const Communicator* communicator = a.compute.communicator.get();
  AllRows all;
  if (files) all = read_rows(a, posterior.model().columns);
  Matrix x = all.x(all.complete, Eigen::all), own_noise = all.noise;
  if (all.noise.size() > 0) own_noise = all.noise(all.complete);
  broadcast(communicator, x);
  broadcast(communicator, own_noise);
  const Vector noise = own_noise.reshaped();
  const bool latent = a.columns.options.latent;
  if (!a.covariance.empty()) {
    const Matrix some = posterior.covariance(x, latent, noise);
    Matrix covariance = Matrix::Constant(some.rows(), all.x.rows(), std::numeric_limits<double>::quiet_NaN());
    if (files) covariance(Eigen::all, all.complete) = some;
    if (files) write_matrix(a.covariance, all, numbered("row", all.x.rows()), covariance);
  }
  if (a.samples > 0) {
    const Matrix draws = posterior.sample(x, a.samples, a.seed, latent, noise);
    if (files) write_matrix(a.output, all, numbered("sample", a.samples), draws);
  }
}

/// Predictions row by row, batch after batch; the rank that has the files reads for all and writes.
void write_by_row(const std::vector<Posterior>& posteriors, const Arguments& a, LiveLine& live) {
  const Communicator* communicator = a.compute.communicator.get();
  const bool files = has_files(a.compute);
  std::vector<PredictionTable> tables;
  std::vector<std::string> targets;
  for (const Posterior& posterior : posteriors) {
    tables.emplace_back(posterior.model(), posterior, a.columns);
    targets.push_back(posterior.model().columns.target);
  }
  const PredictedColumns columns = columns_of(tables, targets);
  std::optional<RowStream> rows;
  if (files) rows.emplace(a.data, posteriors.front().model().columns, a.read);
  FarRows far;
  for (const Posterior& posterior : posteriors) far.compare_with(posterior.model());
  Index read = 0;
  const NextRows next = [&](Index most, RowBatch& batch) {
    Index count = rows ? rows->next(most, batch) : 0;
    if (rows && count > 0) far.look_at(batch.x, [&](Index i) { return read + i; });
    read += count;
    if (!shared(communicator)) return count;
    communicator->broadcast_values(0, &count, 1);
    Matrix noise = batch.noise;
    broadcast(communicator, batch.x);
    broadcast(communicator, noise);
    batch.noise = noise.reshaped();
    return count;
  };
  const std::vector<std::string> kept = rows ? rows->kept_names() : std::vector<std::string>();
  const auto write = [&](CsvWriter& writer) { write_predictions(columns, kept, next, writer, live); };
  if (files) {
    write_table(a.output, write);
  } else {
    CsvWriter nowhere(stdout, "nowhere");
    write(nowhere);
  }
  if (rows) tell_reading(rows->reading());
  report(far);
}

/// Throws InputError for what is of one target alone when there are several.
void require_one_target_for_options(const std::vector<Model>& models, const Arguments& a) {
  const std::vector<std::string> names = target_names(models);
  if (a.samples > 0) require_one_target(names, "--samples");
  if (!a.covariance.empty()) require_one_target(names, "--covariance");
  if (a.columns.components) require_one_target(names, "--components");
}

/// Posteriors of the models, which share the memory.
std::vector<Posterior> posteriors_of(std::vector<Model> models, ComputeOptions compute) {
  if (models.size() > 1) {
    const std::size_t budget = compute.memory > 0 ? compute.memory : default_memory_budget();
    compute.memory = std::max<std::size_t>(1, budget / models.size());
  }
  std::vector<Posterior> posteriors;
  posteriors.reserve(models.size());
  for (Model& model : models) posteriors.emplace_back(std::move(model), compute);
  return posteriors;
}

int run(Arguments a) {
  if (a.read.missing == Missing::drop) a.read.missing = Missing::keep;  // each row has its line in the output
  if (!a.id.empty()) a.read.keep.insert(a.read.keep.begin(), a.id);
  share_machine(a.compute, a.threads->count() > 0);
  require_files(a);
  const std::future<void> ready = prepare_device(a.compute);
  std::vector<Model> models = chosen_models(a.model, a.target);
  require_one_target_for_options(models, a);
  const std::vector<Posterior> posteriors = posteriors_of(std::move(models), a.compute);
  announce_variance(posteriors, a);
  LiveLine live(true);
  if (a.samples > 0 || !a.covariance.empty()) write_joint(posteriors.front(), a);
  if (a.samples > 0) return success;
  write_by_row(posteriors, a, live);
  report_jitter(posteriors);
  return success;
}

/// Adds the options of reading the table and of copying its columns.
void add_table_options(CLI::App& command, Arguments& a) {
  command.add_option("--id", a.id, "Column that identifies the rows, the first of the output");
  command.add_option("--keep", a.read.keep, "Columns of DATA to copy to the output, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_like_options(command, a.read, "leave its prediction empty");
  command.get_option("--unseen")->excludes("--samples")->excludes("--covariance");
}

}  // namespace

void add_predict(CLI::App& app, int& exit_code, const std::shared_ptr<const Communicator>& communicator) {
  auto a = std::make_shared<Arguments>();
  a->compute.communicator = communicator;
  CLI::App* command = app.add_subcommand("predict", "Predict the target of new rows");
  command->footer(
      "\nWrites the columns mean,std,lower,upper in the target's units, one line per row of DATA; for a model of\n"
      "several targets NAME.mean,NAME.std,... of each.\n"
      "Columns of DATA are found by name when there is a header, else by position. The column that fit was given as\n"
      "--id comes first where DATA has it.\n\n"
      "Example:\n  gpcv predict model.h5 new.csv --interval 0.8 -o predictions.csv");
  command->add_option("MODEL", a->model, "Model written by fit")->required();
  command->add_option("DATA", a->data, "CSV or TSV file with the model's input columns, or - for the standard input")
      ->required();
  add_model_target_option(*command, a->target, "those to predict, separated by commas (default: all)");
  command->add_option("-o,--output", a->output, "Write to this file (default, and -: standard output)");
  command->add_option("--interval", a->columns.interval, "Probability of the interval lower..upper")
      ->check(fraction())
      ->capture_default_str();
  auto* quantiles =
      command
          ->add_option("--quantiles", a->columns.quantiles,
                       "Add the quantiles of these probabilities, separated by commas, as columns q0.05, q0.5, ...")
          ->delimiter(',')
          ->check(fraction())
          ->allow_extra_args(false);
  auto* latent = command->add_flag("--latent", a->columns.options.latent,
                                   "Report the uncertainty of the function, without the noise");
  auto* mean_only =
      command
          ->add_flag("--mean-only", a->columns.options.mean_only, "Write only the mean: fast, for any number of rows")
          ->excludes(quantiles);
  auto* samples =
      command
          ->add_option("--samples", a->samples, "Write this many joint draws instead, as columns sample1, sample2, ...")
          ->check(whole_number(1))
          ->excludes(mean_only)
          ->excludes(quantiles);
  add_seed_option(*command, a->seed, "Seed of the draws");
  command->add_option("--covariance", a->covariance, "Also write the joint covariance of all rows to this CSV file");
  add_variance_option(*command, a->columns.options.variance);
  command
      ->add_flag("--conformal", a->columns.conformal,
                 "Write conformal intervals, whose coverage is guaranteed for exchangeable rows; requires "
                 "fit --calibration")
      ->excludes(mean_only)
      ->excludes(latent)
      ->excludes(samples)
      ->excludes("--variance");
  command
      ->add_flag("--components", a->columns.components,
                 "Add mean and std of each summand of the kernel; they and `offset` add up to the mean")
      ->excludes(samples);
  add_table_options(*command, *a);
  add_compute_options(*command, a->compute);
  a->threads = command->get_option("--threads");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
