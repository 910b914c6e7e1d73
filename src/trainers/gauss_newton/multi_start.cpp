#include "trainers/gauss_newton/multi_start.hpp"

#include <algorithm>
#include <cmath>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// A run that failed comes after every run that did not, whatever its last good error.
bool better(const std::unique_ptr<Descent>& a, const std::unique_ptr<Descent>& b) {
  if (a->failed() != b->failed()) return b->failed();
  return std::isfinite(a->error()) && (!std::isfinite(b->error()) || a->error() < b->error());
}

}  // namespace

bool MultiStart::run(std::vector<DescentState> runs, std::optional<int> rounds_taken,
                     const std::shared_ptr<Work>& work) {
  rounds_ = rounds_taken.value_or(0);
  resumed_ = rounds_taken.has_value();
  const Coordinates box(*part_, false, options_.compute.threads);
  for (DescentState& run : runs) {
    alive_.push_back(std::make_unique<Descent>(part_, plan_, options_, box, std::move(run), work));
  }
  try {
    take_first_points();
    if (!stopped_) take_steps();
  } catch (const Interrupted&) {
    stopped_ = true;
  }
  keep_best();
  return !stopped_;
}

Descent* MultiStart::winner() const {
  return alive_.empty() || !std::isfinite(alive_.front()->error()) ? nullptr : alive_.front().get();
}

void MultiStart::note(const Descent& descent) { stopped_ = !events_.stepped(descent) || stopped_; }

void MultiStart::take_first_points() {
  for (auto& descent : alive_) {
    if (stopped_) break;
    const int before = alive_.front()->report().cg_iterations;
    descent->begin(descent == alive_.front() || before == 0
                       ? iteration_limit::training
                       : std::max(settings_.fair_iterations, settings_.fair_factor * before));
    // The history of a resumed training ends with these points.
    if (!resumed_ && !descent->failed()) note(*descent);
  }
  drop_failed();
}

void MultiStart::take_steps() {
  if (plan_.adjoint) {
    keep_best();  // L-BFGS takes all its steps at once
    for (auto& descent : alive_) {
      if (descent->done()) continue;
      descent->run_lbfgs([&] {
        note(*descent);
        events_.round_over();
        return !stopped_;
      });
    }
    return;
  }
  for (bool moved = true; moved && !stopped_;) {
    moved = false;
    for (auto& descent : alive_) {
      if (stopped_ || !descent->step()) continue;
      moved = true;
      note(*descent);
    }
    if (std::any_of(alive_.begin(), alive_.end(), [](const auto& descent) { return !descent->failed(); }))
      drop_failed();
    drop_laggards();
    ++rounds_;
    events_.round_over();
  }
}

void MultiStart::drop_failed() {
  std::erase_if(alive_, [&](const auto& descent) {
    if (descent->failed()) events_.given_up(*descent);
    return descent->failed();
  });
}

/// Runs that are well behind, or have arrived where a better one is.
void MultiStart::drop_laggards() {
  if (alive_.size() < 2) return;
  std::stable_sort(alive_.begin(), alive_.end(), better);
  const Descent& best = *alive_.front();
  std::erase_if(alive_, [&](const auto& descent) {
    if (descent.get() == &best) return false;
    const bool decided = rounds_ + 1 >= settings_.rounds_of_many_rows && part_->x.rows() > settings_.few_rows;
    const bool behind = decided || descent->error() > MultiStartSettings::allowed_lag(rounds_) * best.error();
    const bool same = (descent->state().theta - best.state().theta).cwiseAbs().maxCoeff() < settings_.same_place;
    if (behind || same) events_.given_up(*descent);
    return behind || same;
  });
}

void MultiStart::keep_best() {
  std::stable_sort(alive_.begin(), alive_.end(), better);
  while (alive_.size() > 1) {
    events_.given_up(*alive_[1]);
    alive_.erase(alive_.begin() + 1);
  }
}

}  // namespace gpcv
