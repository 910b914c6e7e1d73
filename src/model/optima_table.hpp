/// Optima as the tables of numbers that model files and checkpoints store.
#pragma once

#include <string>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Table with one row per optimum. Model files up to version 3 store the kernels as texts instead of log θ.
struct OptimaTable {
  Matrix numbers;                    ///< restart, status, objective; with texts also the noise
  Matrix log_theta;                  ///< NaN in the row of a failed start
  std::vector<std::string> kernels;  ///< texts; empty for a failed start

  OptimaTable() = default;
  explicit OptimaTable(const std::vector<Optimum>& optima);

  /// Optima of a table with log θ; throws InputError for a table that the constructor cannot have made.
  std::vector<Optimum> optima() const;
  /// Optima of a table with texts, expressed in the free parameters of this kernel; throws InputError likewise.
  std::vector<Optimum> optima_of_texts(const Kernel& kernel, bool noise_is_free) const;
};

/// The integer that a table stores as a real number; throws InputError if no int can hold it.
int whole(double number);

/// The Status of this number; throws InputError if there is none.
Status status_of(int number);

}  // namespace gpcv
