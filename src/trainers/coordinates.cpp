#include "trainers/coordinates.hpp"

namespace gpcv {

Coordinates::Coordinates(const Problem& problem, bool raw, int threads) : raw_(raw) {
  const LogParameters bounds = log_parameters(problem, threads);
  lower_ = from_log(bounds.lower);
  upper_ = from_log(bounds.upper);
}

std::vector<Index> Coordinates::touching(const Vector& q) const {
  constexpr double near = 1e-6;  // of log θ
  const Vector u = to_log(q), lower = to_log(lower_), upper = to_log(upper_);
  std::vector<Index> found;
  for (Index i = 0; i < u.size(); ++i) {
    if (u(i) - lower(i) < near || upper(i) - u(i) < near) found.push_back(i);
  }
  return found;
}

}  // namespace gpcv
