#include "gpcv/solver.hpp"

namespace gpcv {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::not_run:
      return "not_run";
    case Status::converged:
      return "converged";
    case Status::max_iterations:
      return "max_iterations";
    case Status::time_limit:
      return "time_limit";
    case Status::stopped:
      return "stopped";
    case Status::numerical_failure:
      return "numerical_failure";
  }
  return "unknown";
}

}  // namespace gpcv
