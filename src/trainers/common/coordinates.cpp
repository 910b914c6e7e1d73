#include "trainers/common/coordinates.hpp"

namespace gpcv {

Coordinates::Coordinates(const Problem& problem, bool raw, int threads) : raw_(raw) {
  const LogParameters bounds = log_parameters(problem, threads);
  lower_ = from_log(bounds.lower);
  upper_ = from_log(bounds.upper);
}

}  // namespace gpcv
