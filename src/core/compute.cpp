#include "gpcv/compute.hpp"

namespace gpcv {

std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::automatic:
      return "auto";
    case Precision::double_:
      return "double";
    case Precision::mixed:
      return "mixed";
    case Precision::single:
      return "single";
  }
  return "unknown";
}

std::string_view name_of(Solver solver) {
  switch (solver) {
    case Solver::automatic:
      return "auto";
    case Solver::cg:
      return "cg";
    case Solver::cholesky:
      return "cholesky";
  }
  return "unknown";
}

std::string_view name_of(ParallelMode parallel_mode) {
  switch (parallel_mode) {
    case ParallelMode::automatic:
      return "auto";
    case ParallelMode::rows:
      return "rows";
    case ParallelMode::folds:
      return "folds";
  }
  return "unknown";
}

}  // namespace gpcv
