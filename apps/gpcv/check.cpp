#include <fmt/format.h>

#include "command.hpp"
#include "core/clock.hpp"
#include "fit_arguments.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/error.hpp"
#include "remedies.hpp"
#include "report/diagnosis_report.hpp"
#include "report/live_line.hpp"
#include "report/quantity.hpp"

namespace gpcv::command {
namespace {

struct Arguments : FitArguments {
  bool json = false;
};

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
  ReadOptions read = a.reading(fit);
  read.missing = Missing::drop;
  read.progress = [&](Index rows) { progress.show(fmt::format("{} rows read", grouped(rows))); };
  DiagnosisOptions options = a.diagnosis(fit);
  options.progress = [&](std::string_view step) { progress.show(fmt::format("looking at {}", step)); };
  try {
    return diagnose_fit(read_dataset(a.data, read), fit, options);
  } catch (const InputError& error) {
    return {{Severity::error, "unreadable", error.what(), error.remedy(), error.facts()}};
  }
}

int run(const Arguments& a) {
  const FitOptions fit = a.options();
  resolve_backend(fit.train.compute.backend);
  const std::vector<Finding> findings = in_words(findings_of(a, fit));
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
  add_fit_arguments(*command, *a);
  command->add_flag("--json", a->json, "Print one JSON object");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
