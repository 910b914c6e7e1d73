#include "trainers/gauss_newton/multi_start.hpp"

#include <algorithm>
#include <cmath>

#include "gpcv/error.hpp"
#include "trainers/common/optima_order.hpp"

namespace gpcv {
namespace {

/// A run that failed comes after every run that did not, whatever its last good error.
bool better(const std::unique_ptr<Descent>& a, const std::unique_ptr<Descent>& b) {
  if (a->failed() != b->failed()) return b->failed();
  return std::isfinite(a->error()) && (!std::isfinite(b->error()) || a->error() < b->error());
}

}  // namespace

std::unique_ptr<Descent> MultiStart::descent(DescentState run, const Coordinates& box) const {
  return std::make_unique<Descent>(make_evaluator_(), part_->folds, plan_.adjoint, options_, box, std::move(run));
}

bool MultiStart::run(std::vector<DescentState> runs, const GaussNewtonState* resumed) {
  resumed_ = has_first_ = resumed != nullptr;
  rounds_ = resumed_ ? resumed->rounds : 0;
  first_iterations_ = resumed_ ? resumed->first_iterations : 0;
  const Coordinates box(*part_, false, options_.compute.threads);
  // Fewer starts may fit side by side than began one after the other; these go on as they began.
  const bool began_in_turn =
      std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.errors.size() > 0; });
  if (runs.size() > 1 && (began_in_turn || plan_.concurrent_starts < 2)) {
    follow_in_turn(std::move(runs), box);
    return !stopped_;
  }
  for (DescentState& run : runs) {
    alive_.push_back(descent(std::move(run), box));
  }
  try {
    take_first_points();
    if (!stopped_ && !alive_.empty()) take_steps();
  } catch (const Interrupted&) {
    stopped_ = true;
  }
  keep_best();
  return !stopped_;
}

bool MultiStart::run_again(Vector deviations) {
  try {
    const double objective = alive_.front()->error();
    if (alive_.front()->begin_again(std::move(deviations))) {
      take_steps();
    } else {
      alive_.front()->keep_objective(objective);  // the values that were reached before stay
    }
  } catch (const Interrupted&) {
    stopped_ = true;
  }
  return !stopped_;
}

/// One evaluator is alive at a time. Of a start that has arrived its values are kept, and the best is evaluated once
/// more at the end.
void MultiStart::follow_in_turn(std::vector<DescentState> runs, const Coordinates& box) {
  std::reverse(runs.begin(), runs.end());
  waiting_ = std::move(runs);
  while (!waiting_.empty() && !stopped_) {
    DescentState run = std::move(waiting_.back());
    waiting_.pop_back();
    if (run.status != Status::not_run) {
      record_end(run, run.status);  // it had arrived in an earlier process
    } else {
      follow(std::move(run), box);
    }
  }
  if (!best_) return;
  DescentState best = std::move(*best_);
  best_.reset();
  try {
    if (alive_.empty() || alive_.front()->state().restart != best.restart) {
      alive_.clear();
      const Status status = best.status;
      if (!plan_.adjoint) best.status = Status::converged;  // it takes no step, but tells its standard errors
      const double objective = best.objective;
      alive_.push_back(descent(std::move(best), box));
      // The values were found before: a solve that fails without the weights it began with does not lose them.
      if (!alive_.front()->begin()) alive_.front()->keep_objective(objective);
      if (!plan_.adjoint) alive_.front()->conclude(status);
    }
    if (plan_.adjoint && !stopped_) take_steps();
  } catch (const Interrupted&) {
    stopped_ = true;
  }
}

/// Follows one start until it has arrived or has lost to the best before it. L-BFGS, which takes all its steps at once,
/// takes them from the best first point.
void MultiStart::follow(DescentState run, const Coordinates& box) {
  resumed_ = std::isfinite(run.objective);  // otherwise it begins here
  errors_ = std::move(run.errors);
  rounds_ = static_cast<int>(errors_.size());
  alive_.clear();
  alive_.push_back(descent(std::move(run), box));
  try {
    take_first_points();
    for (bool moved = !plan_.adjoint; moved && !stopped_ && !alive_.empty();) {
      moved = alive_.front()->step();
      if (moved) note(*alive_.front());
      errors_.conservativeResize(rounds_ + 1);
      errors_(rounds_) = alive_.front()->error();
      if (moved && loses_to_best(*alive_.front())) {
        give_up(*alive_.front());
        alive_.clear();
      }
      ++rounds_;
      events_.round_over();
    }
  } catch (const Interrupted&) {
    stopped_ = true;
  }
  if (alive_.empty()) return;
  DescentState end = alive_.front()->state();
  end.errors = errors_;
  record_end(end, alive_.front()->status());
}

/// The rule of drop_inferior(), with the best as it was after as many rounds.
bool MultiStart::loses_to_best(const Descent& descent) const {
  if (!best_ || best_->status == Status::numerical_failure) return false;
  const Vector& errors = best_->errors;
  const double best = errors.size() == 0 ? best_->objective : errors(std::min<Index>(rounds_, errors.size() - 1));
  const bool same = (descent.state().theta - best_->theta).cwiseAbs().maxCoeff() < same_optimum;
  return is_behind(descent.error(), best) || (same && descent.error() >= best_->objective);
}

void MultiStart::record_end(const DescentState& run, Status status) {
  if (!std::isfinite(run.objective)) return;
  const bool failed = status == Status::numerical_failure,
             best_failed = best_ && best_->status == Status::numerical_failure;
  if (best_ && (failed == best_failed ? best_->objective <= run.objective : failed)) {
    events_.given_up(run, status);
    return;
  }
  if (best_) events_.given_up(*best_, best_->status);
  best_ = run;
  best_->status = status;
  best_->weights.resize(0, 0);
  best_->sensitivities.resize(0, 0);
}

std::vector<DescentState> MultiStart::states() const {
  std::vector<DescentState> states;
  if (best_) states.push_back(*best_);
  for (const auto& descent : alive_) {
    states.push_back(descent->state());
    states.back().errors = errors_;
    descent->keep_progress(states.back());
  }
  states.insert(states.end(), waiting_.rbegin(), waiting_.rend());
  return states;
}

Descent* MultiStart::winner() const {
  return alive_.empty() || !std::isfinite(alive_.front()->error()) ? nullptr : alive_.front().get();
}

void MultiStart::note(const Descent& descent) { stopped_ = !events_.stepped(descent) || stopped_; }

void MultiStart::take_first_points() {
  for (auto& descent : alive_) {
    if (stopped_) break;
    descent->begin(resumed_ || first_iterations_ == 0
                       ? iteration_limit::training
                       : std::max(settings_.fair_iterations, settings_.fair_factor * first_iterations_));
    if (!has_first_) first_iterations_ = descent->report().cg_iterations;
    has_first_ = true;
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
  if (part_->x.rows() > settings_.dear_rows) drop_inferior();
  for (bool moved = true; moved && !stopped_;) {
    moved = false;
    for (auto& descent : alive_) {
      if (stopped_ || !descent->step()) continue;
      moved = true;
      note(*descent);
    }
    if (std::any_of(alive_.begin(), alive_.end(), [](const auto& descent) { return !descent->failed(); }))
      drop_failed();
    drop_inferior();
    ++rounds_;
    events_.round_over();
  }
}

void MultiStart::drop_failed() {
  std::erase_if(alive_, [&](const auto& descent) {
    if (descent->failed()) give_up(*descent);
    return descent->failed();
  });
}

/// Whether a run is well behind one that is better after as many rounds.
bool MultiStart::is_behind(double error, double best) const {
  const Index rows = part_->x.rows();
  const bool decided =
      rows > settings_.dear_rows || (rounds_ + 1 >= settings_.rounds_of_many_rows && rows > settings_.few_rows);
  return decided ? !(error < best) : error > MultiStartSettings::allowed_lag(rounds_) * best;
}

/// Runs that are well behind, or have arrived where a better one is.
void MultiStart::drop_inferior() {
  if (alive_.size() < 2) return;
  std::stable_sort(alive_.begin(), alive_.end(), better);
  const Descent& best = *alive_.front();
  std::erase_if(alive_, [&](const auto& descent) {
    if (descent.get() == &best) return false;
    const bool behind = is_behind(descent->error(), best.error());
    const bool same = (descent->state().theta - best.state().theta).cwiseAbs().maxCoeff() < same_optimum;
    if (behind || same) give_up(*descent);
    return behind || same;
  });
}

void MultiStart::keep_best() {
  std::stable_sort(alive_.begin(), alive_.end(), better);
  while (alive_.size() > 1) {
    give_up(*alive_[1]);
    alive_.erase(alive_.begin() + 1);
  }
}

}  // namespace gpcv
