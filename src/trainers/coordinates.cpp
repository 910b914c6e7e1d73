#include "trainers/coordinates.hpp"

namespace gpcv {

Coordinates::Coordinates(const Problem& problem, bool raw) : raw_(raw) {
  const LogParameters bounds = log_parameters(problem);
  lower_ = from_log(bounds.lower);
  upper_ = from_log(bounds.upper);
}

}  // namespace gpcv
