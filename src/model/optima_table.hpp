/// Starts that are over, as text and numbers of equal length: the form in which files keep them.
#pragma once

#include <string>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

struct OptimaTable {
  Matrix numbers;  ///< restart, status, objective, noise
  std::vector<std::string> kernels;

  OptimaTable() = default;
  explicit OptimaTable(const std::vector<Optimum>& optima);
  /// Throws InputError for a table that cannot have been made by the constructor.
  std::vector<Optimum> optima() const;
};

/// Tables keep whole numbers as reals; throws InputError for what no int can hold.
int whole(double number);

/// Throws InputError for a number that is no Status.
Status status_of(int number);

}  // namespace gpcv
