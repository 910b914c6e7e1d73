/// The training as it goes: banner, rows, rule.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/fit.hpp"
#include "report/live_line.hpp"

namespace gpcv {

/// What the banner says beyond the problem itself.
struct TableHead {
  std::string source;  ///< where the data came from
  std::string target;
  std::vector<std::string> features;
  FitOptions options;
  std::vector<Finding> findings = {};  ///< about the data
};

/// Prints to standard output; the live line goes to standard error. With `rows` off only the live line shows.
class IterationTable {
 public:
  IterationTable(TableHead head, bool rows, bool live);

  void begin(const Problem& problem, const std::string& memory_plan);
  void row(const IterationRecord& record);
  /// A sign of life from within a solve.
  void tick();
  void end();

 private:
  void print(const IterationRecord& record);

  TableHead head_;
  bool rows_;
  LiveLine live_;
  bool by_folds_ = false;
  bool pooled_ = false;  ///< all folds together
  double left_ = 0, left_since_ = 0;
  double best_ = 0;
  bool any_ = false;
  IterationRecord last_;
  bool last_printed_ = true;
  double last_print_seconds_ = -1;
  Stopwatch watch_;
};

}  // namespace gpcv
