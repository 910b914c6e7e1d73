#include "console/iteration_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "console/printable.hpp"
#include "console/text.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/version.hpp"

namespace gpcv::command {
namespace {

/// Least time between two printed rows; the trace has all of them.
constexpr double seconds_between_rows = 0.25;
constexpr int line_width = 78;

/// Horizontal rule of the table.
std::string rule() { return std::string(line_width, '-') + "\n"; }

/// Number of measures that the table of all folds together shows.
constexpr std::size_t pooled_measures = 7;

/// Names of the inputs; the indicators of a category are one input.
std::vector<std::string> input_names(const Columns& columns) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < columns.features.size(); ++c) {
    const std::string level = c < columns.levels.size() ? columns.levels[c] : "";
    const std::string& name = columns.features[c];
    if (level.empty()) {
      names.push_back(name);
    } else if (c == 0 || columns.feature_indices[c] != columns.feature_indices[c - 1]) {
      names.push_back(name.substr(0, name.size() - level.size() - 1));
    }
  }
  return names;
}

/// List of names, shortened to the first six.
std::string listed(std::vector<std::string> names) {
  constexpr int longest = 30;
  for (std::string& name : names) name = shortened(name, longest);
  constexpr std::size_t most = 6;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(names.begin(), names.begin() + most, ", "), names.size());
}

}  // namespace

IterationTable::IterationTable(TableHead head, bool rows, bool live, double interval)
    : head_(std::move(head)), rows_(rows), live_(live, interval) {}

void IterationTable::expect(double seconds) {
  constexpr double long_enough = 2;
  const std::scoped_lock lock(mutex_);
  if (!rows_ || seconds < long_enough) return;
  live_.clear();
  fmt::print("time     about {}\n", rough_duration(seconds));
  std::fflush(stdout);
}

void IterationTable::begin(const Problem& problem, const std::string& memory_plan) {
  const std::scoped_lock lock(mutex_);
  said_.clear();
  if (!rows_) return;
  live_.clear();
  print_head(problem, memory_plan);
}

void IterationTable::print_head(const Problem& problem, const std::string& memory_plan) {
  const TrainOptions& train = head_.options.train;
  const std::size_t free = theta_names(problem.kernel, problem.noise).size();
  fmt::print("{}gpcv {}   trainer: {}\n{}", rule(), version(), train.trainer, rule());
  fmt::print("data     {}: {} rows\n", head_.source, grouped(problem.x.rows()));
  fmt::print("         {} from {}\n", printable(head_.columns.target), listed(input_names(head_.columns)));
  fmt::print("{}", finding_lines(head_.findings));
  if (uses_folds(train.trainer)) fmt::print("folds    {}\n", printable(problem.folds.description));
  if (!head_.options.preset.empty()) fmt::print("preset   {}\n", head_.options.preset);
  fmt::print("kernel   {}{}\n", printable(problem.kernel.to_string(3, head_.columns)),
             head_.options.choose_kernel ? ", chosen by cross-validation" : "");
  fmt::print("         {} free parameters, noise {}\n", free,
             problem.noise.fixed ? fmt::format("held at {}", problem.noise.variance) : "among them");
  if (head_.verbose) print_computation(memory_plan);
  // A trainer with other measures than these tables show has the table of objectives.
  const std::size_t measured = measure_names(train).size();
  pooled_ = trainer_info(train.trainer).pools_folds && measured == pooled_measures;
  by_folds_ = uses_folds(train.trainer) && (pooled_ || measured >= 2);
  if (pooled_) {
    fmt::print("{}{:>5} | {:>7} | {:>4} | {:>13} | {:>7} | {:>5} | {:>8} | {:>6} | {:>8}\n{}", rule(), "start", "rows",
               "step", "cv mse", "moved", "cg", "residual", "passes", "time", rule());
  } else if (by_folds_) {
    const std::vector<std::string> measures = measure_names(train);
    const auto limited = std::find(measures.begin(), measures.end(), "theta_limited");
    if (limited != measures.end()) theta_limited_ = static_cast<std::size_t>(limited - measures.begin());
    fmt::print("{}{:>5} | {:>4} | {:>4} | {:>13} | {:>19} | {:>8} | {:>8} | {:>9}\n{}", rule(), "start", "fold", "iter",
               "holdout mse", measures[0], measures[1].substr(0, 4), "gradient", "time", rule());
  } else {
    fmt::print("{}{:>6} | {:>6} | {:>15} | {:>15} | {:>10} | {:>9}\n{}", rule(), "start", "eval", "objective", "best",
               "gradient", "time", rule());
  }
  std::fflush(stdout);
}

void IterationTable::print_computation(const std::string& memory_plan) {
  const TrainOptions& train = head_.options.train;
  const int ranks = train.compute.communicator ? train.compute.communicator->size() : 1;
  fmt::print("compute  {} backend, {}, {}{} thread{}, seed {}\n{}", resolve_backend(train.compute.backend),
             name_of(train.compute.precision), ranks > 1 ? fmt::format("{} ranks of ", ranks) : "",
             train.compute.threads, train.compute.threads == 1 ? "" : "s", train.seed, memory_plan);
}

void IterationTable::row(const IterationRecord& record) {
  const std::scoped_lock lock(mutex_);
  const bool new_start = !any_ || record.restart != last_.restart;
  best_ = new_start && !any_ ? record.objective : std::min(best_, record.objective);
  if (any_ && new_start && !last_printed_) print(last_);
  any_ = true;
  last_ = record;
  last_printed_ = false;
  if (new_start || record.seconds - last_print_seconds_ >= seconds_between_rows) print(record);
  if (pooled_) {
    left_ = record.measures.back();
    left_since_ = watch_.seconds();
    return show_progress();
  }
  live_.show(fmt::format("start {}, evaluation {}, objective {:.6g}, {}", record.restart + 1, record.iteration, best_,
                         duration(record.seconds)));
}

void IterationTable::tick() {
  const std::scoped_lock lock(mutex_);
  show_progress();
}

void IterationTable::tell(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  said_ = text;
  live_.show(text);
}

void IterationTable::show_progress() {
  if (!said_.empty()) return live_.show(said_);
  if (!pooled_ || !any_) return live_.show(fmt::format("solving, {}", duration(watch_.seconds())));
  const double left = std::max(0.0, left_ - (watch_.seconds() - left_since_));
  live_.show(fmt::format("{} rows, step {}, cv mse {:.6g}, {} passes, {}, about {} left", last_.measures[0],
                         last_.iteration + 1, last_.objective, std::round(last_.measures[4]),
                         duration(watch_.seconds()), duration(left)));
}

void IterationTable::end() {
  const std::scoped_lock lock(mutex_);
  live_.clear();
  if (!rows_) return;
  if (any_ && !last_printed_) print(last_);
  fmt::print("{}", rule());
  std::fflush(stdout);
}

void IterationTable::print(const IterationRecord& record) {
  last_print_seconds_ = record.seconds;
  last_printed_ = true;
  if (!rows_) return;
  live_.clear();
  if (pooled_) {
    const std::vector<double>& m = record.measures;
    fmt::print("{:>5} | {:>7} | {:>4} | {:>13.8g} | {:>7.3f} | {:>5} | {:>8.1e} | {:>6.1f} | {:>8}\n",
               record.restart + 1, m[0], record.iteration, record.objective, m[1], m[2], m[3], m[4],
               duration(record.seconds));
    std::fflush(stdout);
    return;
  }
  if (by_folds_) {
    fmt::print("{:>5} | {:>4} | {:>4} | {:>13.8g} | {:>19.2e} | {:>8.2g} | {:>8.1e} | {:>9}\n", record.restart + 1,
               record.fold + 1, record.iteration, record.objective, record.measures[0], record.measures[1],
               record.gradient_norm, duration(record.seconds));
    if (theta_limited_ && record.measures[*theta_limited_] > 0)
      fmt::print("      | the limit of steps ended this theta-step\n");
    std::fflush(stdout);
    return;
  }
  fmt::print("{:>6} | {:>6} | {:>15.8g} | {:>15.8g} | {:>10.2e} | {:>9}\n", record.restart + 1, record.iteration,
             record.objective, best_, record.gradient_norm, duration(record.seconds));
  std::fflush(stdout);
}

}  // namespace gpcv::command
