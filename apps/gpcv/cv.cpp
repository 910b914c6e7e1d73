#include <fmt/format.h>

#include <cmath>

#include "command.hpp"
#include "console/text.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"
#include "ranks.hpp"
#include "table_output.hpp"
#include "training_run.hpp"

namespace gpcv::command {
namespace {

struct Arguments : FitArguments {
  std::string output;
  double interval = 0.95;
  bool json = false, quiet = false, verbose = false;
};

int run(Arguments a) {
  a.output = named_file(a.output);
  share_machine(a.compute, a.threads_given());
  if (a.json && a.output.empty())
    throw InputError("--json prints the scores to standard output: write the predictions to a file with -o");
  FitOptions options = a.options();
  options.every_held_out_variance = true;
  options.importance = false;
  a.read.keep_ids = true;
  resolve_backend(options.train.compute.backend);
  const bool writes = has_files(a.compute);
  if (writes) require_table(a.output, {a.data});
  for (const std::filesystem::path& file : a.read.more) {
    if (writes) require_table(a.output, {file});
  }
  const Dataset data = a.read_data(options, "cv");
  if (writes && !a.quiet) tell_reading(data.reading);
  const bool to_file = !a.output.empty();
  const FitResult result =
      train_with_table(a.data, data, options, {to_file && !a.json && !a.quiet, !a.quiet, a.verbose});
  const HeldOutRows held = held_out_rows(result.model);
  if (held.rows.empty()) throw NumericalError("no held-out row has a prediction with a variance");
  if (writes) {
    const HeldOutRows all = held_out_rows(result.model, true);
    const NumberTable table = held_out_table(result, all, a.interval, data.reading);
    write_table(a.output, [&](CsvWriter& writer) {
      std::vector<std::string> names = table.names;
      std::vector<std::vector<std::string>> ids;
      if (!data.ids.empty()) {
        names.insert(names.begin(), data.columns.id);
        for (const Index row : all.rows) ids.push_back({data.ids[static_cast<std::size_t>(row)]});
      }
      writer.header(names);
      write_rows(writer, ids, table.values);
      writer.finish();
    });
  }
  if (writes) tell_why_unfinished(result.model.provenance);
  if (!to_file) return result.model.provenance.status == Status::converged ? success : not_converged;
  const Metrics metrics = evaluate(held.prediction, held.y);
  if (a.json) fmt::print("{}\n", evaluation_json(metrics));
  if (!a.json && !a.quiet)
    fmt::print("out of fold: {}\n{}", result.model.provenance.folds, evaluation_text(metrics, data.columns.target));
  return result.model.provenance.status == Status::converged ? success : not_converged;
}

}  // namespace

void add_cv(CLI::App& app, int& exit_code, const std::shared_ptr<const Communicator>& communicator) {
  auto a = std::make_shared<Arguments>();
  a->compute.communicator = communicator;
  CLI::App* command = app.add_subcommand("cv", "Predict every row of a table by the fold that held it out");
  command->footer(
      "\nThe command trains as fit does. For each validated row it writes row,fold,target,mean,std,lower,upper, after\n"
      "the column that --id names. The prediction is conditioned on the training rows of the fold, which do not "
      "contain\n"
      "the row.\n\n"
      "Example:\n  gpcv cv houses.csv --target price --groups street -o held_out.csv");
  add_fit_arguments(*command, *a);
  command->add_option("-o,--output", a->output, "Write to this file (default, and -: standard output)");
  command->add_option("--interval", a->interval, "Probability of the interval lower..upper")
      ->check(fraction())
      ->capture_default_str();
  command->add_flag("--json", a->json, "With -o: print the scores as one JSON object");
  command->add_flag("--quiet", a->quiet, "Print nothing but errors");
  add_verbose_option(*command, a->verbose);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
