/// Iterations as the rows of numbers that traces and checkpoints store.
#pragma once

#include <string_view>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Number of columns ahead of θ and the measures.
constexpr Index trace_head = 6;

/// Row of an iteration: restart, fold, iteration, objective, gradient_norm, seconds, then θ and the measures.
inline std::vector<double> trace_row(const IterationRecord& r) {
  std::vector<double> row{static_cast<double>(r.restart),
                          static_cast<double>(r.fold),
                          static_cast<double>(r.iteration),
                          r.objective,
                          r.gradient_norm,
                          r.seconds};
  row.insert(row.end(), r.theta.begin(), r.theta.end());
  row.insert(row.end(), r.measures.begin(), r.measures.end());
  return row;
}

/// Whether a column of a trace holds times of a clock, in which two equal trainings differ.
inline bool is_clock_column(std::string_view name) { return name == "seconds" || name == "seconds_left"; }

}  // namespace gpcv
