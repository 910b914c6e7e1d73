/// Iteration table of a training: banner, rows, rule.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "console/live_line.hpp"
#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"

namespace gpcv::command {

/// Contents of the banner beyond the problem itself. It begins with what the user knows: rows, inputs, folds, kernel.
struct TableHead {
  std::string source;  ///< where the data came from
  Columns columns;
  FitOptions options;
  std::vector<Finding> findings = {};  ///< about the data
  bool verbose = false;                ///< says how it computes and what takes memory, too
};

/// Iteration table that prints its rows to standard output and a live line to standard error. Without `rows` only the
/// live line is shown. Any thread may call any function, because trainers may work on several folds at once.
class IterationTable {
 public:
  /// The live line is updated at most once in `interval` seconds.
  IterationTable(TableHead head, bool rows, bool live, double interval = 0.1);

  /// Says how long the whole takes, where it takes long.
  void expect(double seconds);
  void begin(const Problem& problem, const std::string& memory_plan);
  void row(const IterationRecord& record);
  /// Updates the live line from within a solve.
  void tick();
  /// Shows on the live line what is done before or after training.
  void tell(const std::string& text);
  void end();

 private:
  void show_progress();
  void print_head(const Problem& problem, const std::string& memory_plan);
  void print_computation(const std::string& memory_plan);
  void print(const IterationRecord& record);

  std::mutex mutex_;  ///< protects all members below and the screen
  TableHead head_;
  bool rows_;
  LiveLine live_;
  bool by_folds_ = false;
  bool pooled_ = false;                       ///< a record describes all folds together
  std::optional<std::size_t> theta_limited_;  ///< place of the measure that tells whether a limit ended a θ-step
  double left_ = 0, left_since_ = 0;
  double best_ = 0;
  bool any_ = false;
  IterationRecord last_;
  bool last_printed_ = true;
  double last_print_seconds_ = -1;
  std::string said_;  ///< what is done before or after training; empty while it trains
  Stopwatch watch_;
};

}  // namespace gpcv::command
