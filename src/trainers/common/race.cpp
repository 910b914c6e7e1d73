#include "trainers/common/race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"

namespace gpcv {
namespace {

/// The contenders of one round, the smallest loss first, with their distance from the best.
void rank(std::vector<Raced>& field) {
  std::stable_sort(field.begin(), field.end(), [](const Raced& a, const Raced& b) { return a.loss < b.loss; });
  const Vector best = field.front().losses;
  for (Raced& raced : field) {
    raced.behind = raced.losses.size() == best.size() ? mean_with_error(raced.losses - best) : MeanWithError{};
  }
}

}  // namespace

std::vector<Raced> race(std::size_t contenders, const RaceRules& rules, const Advance& advance) {
  std::vector<Raced> field, gone;
  for (int round = 0; round < static_cast<int>(rules.places.size()); ++round) {
    if (round > 0 && rules.stop && rules.stop()) break;
    while (field.size() > rules.places[static_cast<std::size_t>(round)]) {
      gone.insert(gone.begin(), std::move(field.back()));
      field.pop_back();
    }
    const std::vector<Raced> before = field;
    for (std::size_t i = 0; i < contenders; ++i) {
      if ((rules.joins ? rules.joins(i) : 0) != round) continue;
      field.emplace_back();
      field.back().contender = i;
    }
    if (field.empty()) continue;
    parallel_for(static_cast<int>(field.size()), rules.concurrently, [&](int i) {
      Raced& raced = field[static_cast<std::size_t>(i)];
      raced.losses = advance(raced.contender, round);
      const double loss = mean_with_error(raced.losses).mean;
      raced.loss = raced.losses.size() > 0 && std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity();
      raced.round = round;
    });
    if (!before.empty() && rules.interrupted && rules.interrupted()) {
      field = before;
      break;
    }
    rank(field);
    while (field.size() > 1) {
      const Raced& last = field.back();
      if (std::isfinite(last.loss) && last.behind.mean <= rules.hopeless * last.behind.error) break;
      gone.insert(gone.begin(), std::move(field.back()));
      field.pop_back();
    }
  }
  field.insert(field.end(), std::make_move_iterator(gone.begin()), std::make_move_iterator(gone.end()));
  return field;
}

std::size_t simplest_of_the_best(const std::vector<Raced>& ranking, const std::vector<Index>& parameters) {
  std::size_t chosen = 0;
  for (std::size_t i = 1; i < ranking.size(); ++i) {
    const Raced& raced = ranking[i];
    if (raced.round != ranking.front().round || !std::isfinite(raced.loss)) break;
    if (raced.behind.mean > raced.behind.error) continue;
    if (parameters[raced.contender] < parameters[ranking[chosen].contender]) chosen = i;
  }
  return chosen;
}

}  // namespace gpcv
