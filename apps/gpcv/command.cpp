#include "command.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <set>

#include "gpcv/diagnosis.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/operator.hpp"

namespace gpcv::command {
namespace {

/// Adds an option with named choices; the help shows only the names.
template <class Choice>
void add_choice(CLI::App& command, const std::string& name, Choice& value, const std::map<std::string, Choice>& choices,
                const std::string& preset, const std::string& what) {
  std::vector<std::string> names;
  for (const auto& [text, choice] : choices) names.push_back(text);
  command
      .add_option_function<std::string>(
          name, [&value, choices](const std::string& text) { value = choices.at(text); }, what)
      ->check(CLI::IsMember(names))
      ->default_str(preset);
}

}  // namespace

CLI::Validator whole_number(long long least) {
  const auto check = [least](const std::string& text) -> std::string {
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least) return {};
    return fmt::format("expected a whole number of at least {}, not '{}'", least, text);
  };
  return CLI::Validator(check, "", "");
}

CLI::Validator fraction() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value > 0 && value < 1) return {};
    return fmt::format("expected a number between 0 and 1, not '{}'", text);
  };
  return CLI::Validator(check, "", "");
}

void add_compute_options(CLI::App& command, ComputeOptions& options) {
  options.threads = available_threads();
  command.add_option("--threads", options.threads, "Number of threads (default: all that the process may use)")
      ->check(whole_number(1));
  std::vector<std::string> backends = compiled_backends();
  backends.insert(backends.begin(), "auto");
  command
      .add_option("--backend", options.backend,
                  "Backend of kernel products (stored matrices always use simd); grid: one input at regular intervals, "
                  "O(n log n)")
      ->check(CLI::IsMember(backends))
      ->capture_default_str();
  add_choice<Precision>(command, "--precision", options.precision,
                        {{"auto", Precision::automatic},
                         {"double", Precision::double_},
                         {"mixed", Precision::mixed},
                         {"single", Precision::single}},
                        "auto", "Arithmetic of kernel products in iterative solves; auto decides by the noise");
  add_choice<Solver>(command, "--solver", options.solver,
                     {{"auto", Solver::automatic}, {"cg", Solver::cg}, {"cholesky", Solver::cholesky}}, "auto",
                     "Solver: conjugate gradients or Cholesky factorisation");
  command
      .add_option("--rank", options.rank,
                  "Rank of the preconditioner of conjugate gradients (default: from the row count)")
      ->check(whole_number(0));
  command.add_option_function<std::string>(
      "--memory", [&options](const std::string& text) { options.memory = parse_memory(text); },
      "Memory budget, for example 2G or 512M (default: 80 % of free memory)");
}

void add_parallel_option(CLI::App& command, ComputeOptions& options) {
  add_choice<ParallelMode>(
      command, "--parallel", options.parallel_mode,
      {{"auto", ParallelMode::automatic}, {"rows", ParallelMode::rows}, {"folds", ParallelMode::folds}}, "auto",
      "Work that ranks share under mpirun or srun: rows of every product, or the folds of consensus and "
      "gauss-newton");
}

void add_variance_option(CLI::App& command, VarianceMethod& method) {
  command
      .add_option_function<std::string>(
          "--variance", [&method](const std::string& text) { method = VarianceMethod::parse(text); },
          "auto, exact, or neighbours:K: condition on the K most informative training points, an upper bound")
      ->default_str("auto");
}

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& what) {
  command.add_option("--seed", seed, what)->check(whole_number(0))->capture_default_str();
}

void add_header_option(CLI::App& command, Header& header) {
  add_choice<Header>(command, "--header", header,
                     {{"auto", Header::automatic}, {"yes", Header::yes}, {"no", Header::no}}, "auto",
                     "Whether the first line of DATA names the columns");
}

void add_missing_option(CLI::App& command, Missing& missing, const std::string& what) {
  add_choice<Missing>(
      command, "--missing", missing, {{"error", Missing::error}, {"drop", Missing::drop}}, "error",
      fmt::format("What to do with an empty or NA cell in a column in use: stop with an error, or {}", what));
}

void add_cell_options(CLI::App& command, std::vector<std::string>& missing_texts, Decimal& decimal) {
  command.add_option("--na", missing_texts, "Further texts of missing cells, separated by commas, for example -999")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_choice<Decimal>(command, "--decimal", decimal,
                      {{"auto", Decimal::automatic}, {"comma", Decimal::comma}, {"point", Decimal::point}}, "auto",
                      "Decimal mark of numbers; the other mark groups thousands. auto examines whole columns");
}

void add_like_options(CLI::App& command, LikeOptions& options, const std::string& missing_rows) {
  add_header_option(command, options.header);
  add_missing_option(command, options.missing, missing_rows);
  add_cell_options(command, options.missing_texts, options.decimal);
  command.get_option("--na")->description(
      "Further texts of missing cells, separated by commas (default: those of the training)");
  add_choice<Unseen>(command, "--unseen", options.unseen, {{"average", Unseen::average}, {"error", Unseen::error}},
                     "error",
                     "What to do with a level of a category that training has not seen: stop with an error, or average "
                     "the predictions for all levels of the training");
}

void tell_reading(const Reading& reading) {
  for (const Finding& finding : at_least(Severity::warning, findings_of_reading(reading))) {
    fmt::print(stderr, "gpcv: {}\n", finding.text);
  }
}

void tell_readings(const std::vector<Dataset>& targets) {
  std::set<std::string> told;
  for (const Dataset& data : targets) {
    for (const Finding& finding : at_least(Severity::warning, findings_of_reading(data.reading))) {
      if (told.insert(finding.text).second) fmt::print(stderr, "gpcv: {}\n", finding.text);
    }
  }
}

}  // namespace gpcv::command
