#include <fmt/format.h>

#include "command.hpp"
#include "console/text.hpp"
#include "gpcv/error.hpp"
#include "gpcv/report.hpp"
#include "remedies.hpp"
#include "training_run.hpp"

namespace gpcv::command {
namespace {

struct Arguments : FitArguments {
  std::string kernels = "se(ard);matern52(ard);matern32(ard);rq(ard)";
  bool json = false, quiet = false;
};

/// Kernels of a list. The separator is a semicolon because kernels contain commas; names in quotes may contain both.
std::vector<std::string> parted(const std::string& text) {
  std::vector<std::string> parts{""};
  char quote = '\0';
  for (const char c : text) {
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    }
    if (c == ';' && quote == '\0') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::erase_if(parts, [](const std::string& part) { return part.find_first_not_of(" \t") == part.npos; });
  return parts;
}

int run(Arguments a) {
  std::vector<FitOptions> trainings;
  for (const std::string& kernel : parted(a.kernels)) {
    a.kernel = kernel;
    trainings.push_back(a.options());
    trainings.back().every_held_out_variance = true;
    trainings.back().assess = Assess::inner;  // the same folds for all
    trainings.back().importance = false;
  }
  if (trainings.size() < 2) throw InputError("--kernels needs two kernels or more, separated by semicolons");
  resolve_backend(trainings.front().train.compute.backend);
  const Dataset data = a.read_data(trainings.front(), "compare");
  if (!a.quiet) tell_reading(data.reading);
  for (const FitOptions& options : trainings)
    options.kernel.resolved(data.columns).bind(data.inputs());  // an unsuitable kernel is refused before any is trained
  std::vector<Contender> contenders;
  for (const FitOptions& options : trainings) {
    Contender contender;
    contender.kernel = options.kernel.to_string();
    try {
      contender.result = train_with_table(a.data, data, options, {.live = !a.quiet});
    } catch (const NumericalError& error) {
      contender.failure = in_words(error);  // the remaining kernels can still be compared
    }
    contenders.push_back(std::move(contender));
  }
  const TrainOptions& train = trainings.front().train;
  const bool by_criterion = trainer_info(train.trainer).pools_folds;
  const Comparison comparison =
      compare(std::move(contenders), by_criterion ? train.gauss_newton.criterion : Criterion::squared);
  fmt::print("{}", a.json ? comparison_json(comparison) + "\n" : comparison_text(comparison));
  return comparison.complete() ? success : not_converged;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("compare", "Rank kernels by the loss of held-out rows");
  command->footer(
      "\nEvery kernel is trained on the same folds and ranked by the criterion that it is trained by. The table shows\n"
      "each error with its standard error, and its loss relative to the best with the standard error of the paired\n"
      "difference; a difference below two standard errors is a tie. The exit code is 1 when a kernel could not be "
      "trained or did not converge.\n\n"
      "Example:\n  gpcv compare data.csv --target y --kernels 'se(ard); matern32(ard); se(ard)+linear(ard)'");
  add_fit_arguments(*command, *a, false);
  command->add_option("--kernels", a->kernels, "Kernels to compare, separated by semicolons")->capture_default_str();
  command->add_flag("--json", a->json, "Print one JSON object");
  command->add_flag("--quiet", a->quiet, "Show no progress");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
