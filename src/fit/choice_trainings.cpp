#include "fit/choice_trainings.hpp"

#include <algorithm>
#include <cmath>

#include "core/deadline.hpp"
#include "fit/fit_plan.hpp"
#include "gpcv/communicator.hpp"
#include "planning/budget.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// Memory of a candidate, which holds a few matrices of all pairs of its rows, and the rows that a small budget leaves.
constexpr double bytes_per_pair = 8 * 6;
constexpr Index fewest_rows = 100;

ComputeOptions with_threads(ComputeOptions compute) {
  compute.threads = std::max(1, compute.threads);
  return compute;
}

}  // namespace

ChoiceTrainings::ChoiceTrainings(const Dataset& data, const FitOptions& options, const std::vector<Index>& rows,
                                 double share)
    : options_(options),
      compute_(with_threads(with_budget(options.train.compute))),
      folds_(folds_of(data, options, compute_)),
      share_(share) {
  const auto most = static_cast<Index>(std::sqrt(static_cast<double>(compute_.memory) / bytes_per_pair));
  for (const Index wanted : rows) {
    const Index count = std::min({wanted, data.rows(), std::max(most, fewest_rows)});
    std::vector<Index> chosen = random_rows(data.rows(), count, options.train.seed);
    // Narrow folds may have no rows in a part.
    if (folds_.of_rows(chosen).folds.empty()) chosen = random_rows(data.rows(), data.rows(), 0);
    rows_.push_back(std::move(chosen));
  }
}

int ChoiceTrainings::concurrently() const {
  const auto rows = static_cast<double>(rows_.back().size());
  const double fit = static_cast<double>(compute_.memory) / (bytes_per_pair * rows * rows);
  return std::clamp(static_cast<int>(fit), 1, threads());
}

bool ChoiceTrainings::stopped() {
  // A training that is to be resumed must choose the same again, whatever its time limit.
  const Deadline* end = options_.checkpoint.empty() ? options_.train.deadline.get() : nullptr;
  const bool late = end != nullptr && end->is_limited() && watch_.seconds() > share_ * end->limit();
  if (agreed(compute_.communicator.get(), late) || (compute_.stop && compute_.stop())) stop_requested_ = true;
  return stop_requested_;
}

TrainOptions ChoiceTrainings::training(int steps, bool to_the_end) {
  TrainOptions train;
  train.seed = options_.train.seed;
  train.start = Start::values;
  train.restarts = 1;
  train.scan_periods = false;
  train.max_iterations = steps;
  train.prior = options_.train.prior;
  train.gauss_newton.tolerance = 1e-3;
  train.gauss_newton.criterion = to_the_end ? options_.train.gauss_newton.criterion : Criterion::squared;
  train.gauss_newton.least_noise = Noise{}.least;  // all rows may be iterated on
  train.compute.solver = Solver::cholesky;
  train.compute.threads = concurrently() > 1 ? 1 : threads();
  train.compute.memory = compute_.memory;
  // Callbacks run on the calling thread only, and ranks ask between rounds, where all of them do.
  train.compute.stop = [this] {
    if (is_caller() && !shared(compute_.communicator.get())) stopped();
    return stop_requested_.load();
  };
  return train;
}

}  // namespace gpcv
