#include "trainers/admm/training_log.hpp"

#include <algorithm>
#include <cmath>

#include "trainers/common/optima_order.hpp"

namespace gpcv {

TrainingLog::TrainingLog(const TrainOptions& options, const Observer& observer, std::size_t folds)
    : options_(options), observer_(observer), before_(options.resume ? options.resume->seconds : 0), by_fold_(folds) {
  if (!options.resume) return;
  state_ = *options.resume;
  // The records of the current start go back to the lists of their folds.
  const auto under_way = std::stable_partition(state_.history.begin(), state_.history.end(),
                                               [&](const IterationRecord& r) { return r.restart < starts_over(); });
  for (auto record = under_way; record != state_.history.end(); ++record) {
    if (record->fold < 0 || record->fold >= static_cast<int>(folds)) continue;
    by_fold_[static_cast<std::size_t>(record->fold)].push_back(std::move(*record));
  }
  state_.history.erase(under_way, state_.history.end());
}

bool TrainingLog::observe(IterationRecord record) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  record.seconds = seconds();
  if (observer_ && !observer_(record)) stopped_ = true;
  by_fold_[static_cast<std::size_t>(record.fold)].push_back(std::move(record));
  return !stopped_;
}

/// Passes the state itself to the checkpoint callback, with the history of the current start appended for that time. It
/// copies the records, which are small, but not the states of all folds, which are large.
void TrainingLog::save() {
  const std::size_t over = state_.history.size();
  gather(state_.history);
  state_.seconds = seconds();
  options_.checkpoint(state_);
  state_.history.resize(over);
}

void TrainingLog::close_start(Optimum optimum, const std::string& remark) {
  const auto better = [&](const Optimum& other) { return other.objective <= optimum.objective; };
  if (optimum.reached() && std::none_of(state_.optima.begin(), state_.optima.end(), better)) state_.remark = remark;
  state_.optima.push_back(std::move(optimum));
  state_.trainer = TrainerState();
  gather(state_.history);
  for (std::vector<IterationRecord>& records : by_fold_) records.clear();
}

void TrainingLog::gather(std::vector<IterationRecord>& history) const {
  for (const std::vector<IterationRecord>& records : by_fold_) {
    history.insert(history.end(), records.begin(), records.end());
  }
}

void TrainingLog::move_into(TrainResult& result) {
  result.history = std::move(state_.history);
  result.iterations = static_cast<int>(result.history.size());
  result.optima = std::move(state_.optima);
  sort_optima(result.optima);
  result.seconds = seconds();
}

}  // namespace gpcv
