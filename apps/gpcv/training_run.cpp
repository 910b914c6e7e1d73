#include "training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "command.hpp"
#include "console/iteration_table.hpp"
#include "console/printable.hpp"

namespace gpcv::command {
namespace {

/// Table of the training in progress, and the clean stop on Ctrl-C.
class Screen {
 public:
  Screen(std::string source, const Talk& talk) : source_(std::move(source)), talk_(talk) {}

  /// Begins the table of a training.
  void open(const Columns& columns, const FitOptions& options, const std::vector<Finding>& findings) {
    table_ = std::make_unique<IterationTable>(TableHead{source_, columns, options, findings, talk_.verbose}, talk_.rows,
                                              talk_.live);
    open_ = true;
  }
  /// Ends the table, if one is open.
  void close() {
    if (std::exchange(open_, false)) table_->end();
  }

  /// Makes the training ask whether it is to stop, and say what it does. The screen must outlive it.
  void connect(FitOptions& options) {
    communicator_ = options.train.compute.communicator;
    // Ranks end together.
    if (shared(communicator_.get())) stop_on_signal("stopping; press Ctrl-C again to end at once");
    options.train.compute.stop = [this] {
      if (stop_requested()) table_->tell("stopping");
      table_->tick();
      return any_rank_stops(communicator_.get());
    };
    options.progress = [this](const std::string& text) { table_->tell(text); };
    options.expected = [this](double seconds) { table_->expect(seconds); };
  }
  Observer observer() {
    return [this](const IterationRecord& record) {
      table_->row(record);
      return !any_rank_stops(communicator_.get());
    };
  }
  Announce announce() {
    return [this](const Problem& problem, const std::string& plan) { table_->begin(problem, plan); };
  }

 private:
  const std::string source_;
  const Talk talk_;
  std::shared_ptr<const Communicator> communicator_;
  std::unique_ptr<IterationTable> table_;
  bool open_ = false;  ///< the table was begun and not ended
};

/// Line above what is printed of one of several targets; an empty line separates it from what it follows.
std::string heading(const std::vector<Dataset>& targets, Index i, bool follows) {
  return fmt::format("{}target {} of {}: {}\n", follows ? "\n" : "", i + 1, targets.size(),
                     printable(targets[static_cast<std::size_t>(i)].columns.target));
}

/// Findings about all targets.
std::vector<Finding> joined(const std::vector<std::vector<Finding>>& findings) {
  std::vector<Finding> all;
  for (const std::vector<Finding>& own : findings) all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// Columns of the first target, with the names of all in place of its name.
Columns columns_of_all(const std::vector<Dataset>& targets) {
  Columns columns = targets.front().columns;
  for (std::size_t t = 1; t < targets.size(); ++t) columns.target += ", " + targets[t].columns.target;
  return columns;
}

}  // namespace

FitResult train_with_table(const std::string& source, const Dataset& data, FitOptions options, const Talk& talk,
                           const std::vector<Finding>& findings) {
  Screen screen(source, talk);
  screen.open(data.columns, options, findings);
  screen.connect(options);
  FitResult result = fit(data, options, screen.observer(), screen.announce());
  screen.close();
  return result;
}

std::vector<FitResult> train_with_tables(const std::string& source, const std::vector<Dataset>& targets,
                                         TargetsOptions options, const Talk& talk,
                                         const std::vector<std::vector<Finding>>& findings) {
  Screen screen(source, talk);
  FitOptions shown = options.fit;
  if (!options.warm.empty()) shown.choose_kernel = false;
  // One table stands for the targets that are trained together, and each then has a heading above its result.
  const bool together = options.share_kernel && targets.size() > 1;
  const auto head = [&](Index i) {
    if (targets.size() > 1 && talk.rows) fmt::print("{}", heading(targets, i, together || i > 0));
  };
  const auto open = [&](Index i) {
    const auto t = static_cast<std::size_t>(i);
    if (together) screen.open(columns_of_all(targets), shown, joined(findings));
    if (!together) screen.open(targets[t].columns, shown, findings[t]);
  };
  const auto begin = [&](Index i) {
    if (together) return;
    head(i);
    if (i > 0) open(i);
  };
  open(0);
  screen.connect(options.fit);
  options.done = [&, done = options.done](Index i, const FitResult& result) {
    screen.close();
    if (together) head(i);
    if (done) done(i, result);
  };
  if (options.failed) {
    options.failed = [&screen, failed = options.failed](Index i, const NumericalError& error) {
      screen.close();
      failed(i, error);
    };
  }
  std::vector<FitResult> results = fit_targets(targets, options, begin, screen.observer(), screen.announce());
  screen.close();  // of a target that was stopped before its first error
  return results;
}

void tell_why_unfinished(const Provenance& provenance) {
  if (provenance.status == Status::converged || provenance.status == Status::stopped) return;
  fmt::print(stderr, "gpcv: {}\n", provenance.message);
}

std::string command_text(int argc, char** argv) {
  std::string text = "gpcv";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), [](unsigned char c) {
      return std::isalnum(c) || std::string_view("_-./:,=+@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    std::string quoted;
    for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += plain ? " " + argument : " '" + quoted + "'";
  }
  return text;
}

}  // namespace gpcv::command
