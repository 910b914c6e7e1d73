#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "console/live_line.hpp"
#include "console/printable.hpp"
#include "console/stopwatch.hpp"
#include "console/text.hpp"
#include "fit_arguments.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/report.hpp"
#include "gpcv/targets.hpp"
#include "remedies.hpp"

namespace gpcv::command {
namespace {

struct Arguments : FitArguments {
  bool json = false;
};

/// Progress line that appears after two seconds.
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

/// Findings about each target of the table. Rows with missing cells are always left out, so that the complete rows can
/// be examined.
std::vector<TargetFindings> findings_of(const Arguments& a, const FitOptions& fit) {
  Progress progress;
  ReadOptions read = a.reading(fit);
  read.missing = Missing::drop;
  read.progress = [&](Index rows) { progress.show(fmt::format("{} rows read", grouped(rows))); };
  DiagnosisOptions options = a.diagnosis(fit);
  options.progress = [&](std::string_view step) { progress.show(fmt::format("examining {}", step)); };
  try {
    std::vector<TargetFindings> found;
    for (const Dataset& data : read_targets(a.data, read, {a.read.target})) {
      found.push_back({data.columns.target, in_words(diagnose_fit(data, fit, options))});
    }
    return found;
  } catch (const InputError& error) {
    return {{a.read.target, in_words({{Severity::error, "unreadable", error.what(), error.remedy(), error.facts()}})}};
  }
}

int run(const Arguments& a) {
  const FitOptions fit = a.options();
  resolve_backend(fit.train.compute.backend);
  const std::vector<TargetFindings> targets = findings_of(a, fit);
  const bool several = targets.size() > 1;
  const auto would_be_trained = [](const TargetFindings& target) { return would_train(target.findings); };
  if (a.json) fmt::print("{}\n", several ? diagnosis_json(targets) : diagnosis_json(targets.front().findings));
  for (std::size_t t = 0; t < targets.size() && !a.json; ++t) {
    if (several) fmt::print("{}target   {}\n", t > 0 ? "\n" : "", printable(targets[t].target));
    fmt::print("{}", diagnosis_text(targets[t].findings));
  }
  return std::all_of(targets.begin(), targets.end(), would_be_trained) ? success : bad_input;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("check", "Examine a table before training: problems, memory and time");
  command->footer(
      "\nThe command takes the options of fit that define the training. It prints one line per finding: what was\n"
      "found and what to do about it. Notes inform, warnings deserve attention, and fit refuses tables with errors.\n"
      "Rows are counted from 1, below the header. Exit codes: 0 training would start, 2 it would not.\n\n"
      "Example:\n  gpcv check houses.csv --target price");
  add_fit_arguments(*command, *a);
  command->add_flag("--json", a->json, "Print one JSON object");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
