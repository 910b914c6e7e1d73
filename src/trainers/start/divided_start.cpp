#include "trainers/start/divided_start.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/random.hpp"
#include "problem/parameters.hpp"

namespace gpcv {
namespace {

/// Deviation of the logarithms of the lengths: factors of three either way.
constexpr double deviation = 1.1;
/// Longest mean length, in deviations of the input. One part may need an input that another one does not; where a
/// length is much longer, the error does not depend on it any more, and a descent stops.
constexpr double longest = 5;

/// Positions in log θ of the lengths of each input.
std::map<Index, std::vector<Index>> lengths_of_inputs(const Problem& problem) {
  std::map<Index, std::vector<Index>> positions;
  const std::vector<Parameter> free = problem.kernel.free_parameters();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const bool length = free[i].role == Role::length_scale && !free[i].given && free[i].columns.size() == 1;
    if (length) positions[free[i].columns.front()].push_back(static_cast<Index>(i));
  }
  return positions;
}

}  // namespace

bool has_divided_inputs(const Problem& problem) {
  const auto positions = lengths_of_inputs(problem);
  const auto several = [](const auto& entry) { return entry.second.size() > 1; };
  return positions.size() > 1 && std::any_of(positions.begin(), positions.end(), several);
}

Vector divided_start(const Problem& problem, const Vector& values, std::uint64_t seed) {
  const LogParameters own = log_parameters(problem);
  Random random(seed);
  Vector u = values;
  for (const auto& [input, which] : lengths_of_inputs(problem)) {
    // log l_jc = min(log l_c, log 5) + s (e_jc − ē_c),  e_jc ~ N(0, 1) for part j and input c
    Vector e(static_cast<Index>(which.size()));
    for (double& value : e) value = random.normal();
    e.array() -= e.mean();
    for (std::size_t j = 0; j < which.size(); ++j) {
      u(which[j]) = std::min(values(which[j]), std::log(longest)) + deviation * e(static_cast<Index>(j));
    }
  }
  // The little noise that one part has found would let each part interpolate.
  if (!problem.noise.fixed) u(u.size() - 1) = own.value(u.size() - 1);
  return u.cwiseMax(own.lower).cwiseMin(own.upper);
}

}  // namespace gpcv
