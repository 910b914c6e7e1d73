/// Races: contenders that are compared by the losses of the same rows, round by round.
#pragma once

#include <functional>
#include <vector>

#include "core/mean_with_error.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// A contender after the last round that it took part in.
struct Raced {
  std::size_t contender = 0;
  int round = -1;        ///< its last round
  Vector losses;         ///< losses of the rows in that round, NaN where there is none; empty if it failed
  double loss = 0;       ///< mean of the losses; infinite if it failed
  MeanWithError behind;  ///< its losses minus those of the best of the same round, row by row
};

/// Work of one contender in one round, from where it stood: the losses of the rows, or none if it cannot be evaluated.
using Advance = std::function<Vector(std::size_t contender, int round)>;

/// Conditions of a race.
struct RaceRules {
  std::vector<std::size_t> places;  ///< for each round, the largest number of contenders that stay for it
  std::function<int(std::size_t contender)> joins = {};  ///< first round of a contender; without it, 0 for all
  double hopeless = 3;              ///< standard errors behind the best after which a contender leaves
  int concurrently = 1;             ///< contenders that advance side by side
  std::function<bool()> stop = {};  ///< asked before each round; true ends the race with what is known
  /// Asked after each round: whether contenders were interrupted in it. Then the race ends with the round before.
  std::function<bool()> interrupted = {};
};

/// Successive halving: after each round the best stay, and those join whose first round is the next one. The result has
/// those of the last round first, the smallest loss first, then those that left, the latest first. Contenders that have
/// not joined when the race is stopped are not in it.
std::vector<Raced> race(std::size_t contenders, const RaceRules& rules, const Advance& advance);

/// Position in `ranking` of the contender to choose: of those of the last round within one standard error of the best,
/// the one with the fewest parameters.   parameters: by contender
std::size_t simplest_of_the_best(const std::vector<Raced>& ranking, const std::vector<Index>& parameters);

}  // namespace gpcv
