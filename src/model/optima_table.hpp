/// Ends of starts as the tables of numbers that model files and checkpoints keep.
#pragma once

#include <string>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// One row per optimum. Model files up to version 3 have the kernels as texts in place of log θ.
struct OptimaTable {
  Matrix numbers;                    ///< restart, status, objective; with texts also the noise
  Matrix log_theta;                  ///< NaN in the row of a start that failed
  std::vector<std::string> kernels;  ///< texts; empty for a start that failed

  OptimaTable() = default;
  explicit OptimaTable(const std::vector<Optimum>& optima);

  /// The optima of a table with log θ. Throws InputError for a table that cannot have been made by the constructor.
  std::vector<Optimum> optima() const;
  /// The optima of a table with texts, in terms of this kernel's free parameters; throws InputError likewise.
  std::vector<Optimum> optima_of_texts(const Kernel& kernel, bool noise_is_free) const;
};

/// Tables keep whole numbers as reals; throws InputError for what no int can hold.
int whole(double number);

/// Throws InputError for a number that is no Status.
Status status_of(int number);

}  // namespace gpcv
