#include "trainers/start/automatic_start.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "gpcv/communicator.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "trainers/common/optima_order.hpp"
#include "trainers/gauss_newton/gauss_newton.hpp"
#include "trainers/start/divided_start.hpp"
#include "trainers/start/fold_score.hpp"
#include "trainers/start/relevance.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// Rows on which candidates are compared, and on which the error of the folds is followed: fewer rows do not show what
/// is short (an input that numbers 60 groups of 8 rows each: nothing on 200 rows, half of the error on 480).
constexpr Index compared_rows_of_starts = 300, followed_rows = 500;
/// Held-out error, relative to that of the mean, above which nothing has been found.
constexpr double nothing_found = 0.95;
/// Factor by which an untrained candidate may be better than the optima of the likelihood before the error of the folds
/// is followed as well.
constexpr double misled = 1.02;
/// Squared difference of the held-out predictions of two starts, relative to the squared error, below which they count
/// as one: predictions that differ by 3 % of the error have errors that differ by far less.
constexpr double alike = 1e-3;
/// Deviation of the prior of log θ around each candidate: without it, inputs that do not matter would be given lengths
/// where there are about as many of them as rows. A factor of e in a length costs half a unit of log likelihood.
constexpr double log_prior = 1;
/// Rows for each parameter from which the likelihood alone is tried as well: the prior keeps lengths within reach of
/// the candidates, and a table with an input that numbers its groups may need a length of a hundredth.
constexpr Index rows_per_parameter = 10;
/// Random candidates that are tried while nothing is found, and steps along the error of the folds.
constexpr int random_candidates = 60, steps_on_few_rows = 12;
/// Starts of a sum whose parts share inputs.
constexpr int divided_starts = 5;

/// The scores of candidates, the smallest error first.
std::vector<HeldOutScore> ranked(const Problem& part, const std::vector<Vector>& candidates, int threads) {
  std::vector<std::optional<HeldOutScore>> found(candidates.size());
  parallel_for(static_cast<int>(candidates.size()), threads, [&](int i) {
    found[static_cast<std::size_t>(i)] = held_out_score(part, candidates[static_cast<std::size_t>(i)], 1);
  });
  std::vector<HeldOutScore> scores;
  for (std::optional<HeldOutScore>& score : found) {
    if (score) scores.push_back(std::move(*score));
  }
  std::stable_sort(scores.begin(), scores.end(),
                   [](const HeldOutScore& a, const HeldOutScore& b) { return a.squares < b.squares; });
  return scores;
}

/// The best starts, without those that predict the held-out rows as a better one does: lengths of inputs that do not
/// matter tell them apart, errors do not.   scores: the smallest error first
std::vector<Vector> distinct(const std::vector<HeldOutScore>& scores, std::size_t most) {
  std::vector<const HeldOutScore*> kept;
  for (const HeldOutScore& score : scores) {
    const auto predicts_alike = [&](const HeldOutScore* other) {
      return (score.residuals - other->residuals).squaredNorm() < alike * other->squares;
    };
    if (kept.size() < most && std::none_of(kept.begin(), kept.end(), predicts_alike)) kept.push_back(&score);
  }
  std::vector<Vector> starts;
  for (const HeldOutScore* score : kept) starts.push_back(score->at);
  return starts;
}

bool is_known(const std::vector<Vector>& list, const Vector& u) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Vector& other) { return (u - other).cwiseAbs().maxCoeff() < same_optimum; });
}

/// Finds the starts of one problem.
class StartSearch {
 public:
  StartSearch(const Problem& problem, Index rows, const TrainOptions& options, bool insist)
      : problem_(problem),
        options_(options),
        insist_(insist),
        threads_(std::max(1, options.compute.threads)),
        part_(start_part(problem, std::max(rows, followed_rows), options.seed)),
        few_(start_part(problem, compared_rows_of_starts, options.seed)),
        wanted_(static_cast<std::size_t>(std::max(1, options.restarts))) {}

  std::vector<Vector> run() {
    if (few_.folds.folds.empty()) return subset_starts(problem_, part_.x.rows(), options_);
    const std::vector<Vector> from = promising_by_folds();
    std::vector<Vector> ends;
    TrainOptions penalised = options_;
    penalised.log_prior = log_prior;
    for (const Optimum& optimum : likelihood_optima(part_, from, penalised)) ends.push_back(optimum.log_theta);
    if (insist_ && part_.x.rows() >= rows_per_parameter * own_size() && !stopped()) {
      // Optima without the prior, which may lie far from all candidates.
      for (const Vector& u : subset_starts(problem_, part_.x.rows(), options_)) ends.push_back(u);
    }
    if (stopped()) return ends.empty() ? from : ends;
    const Problem compared = start_part(problem_, std::min(part_.x.rows(), followed_rows), options_.seed);
    const double power = held_out_power(compared);
    std::vector<HeldOutScore> scores = ranked(compared, ends, threads_);
    const std::vector<HeldOutScore> untrained = ranked(compared, from, threads_);
    const bool lost = scores.empty() || scores.front().squares > nothing_found * power;
    const bool behind =
        !scores.empty() && !untrained.empty() && scores.front().squares > misled * untrained.front().squares;
    if (lost || behind) add(scores, compared, followed_by_folds(compared, from));
    const bool still_lost = scores.empty() || scores.front().squares > nothing_found * power;
    if (insist_ && still_lost) add(scores, compared, more(compared));
    if (has_divided_inputs(problem_) && !scores.empty() && !stopped()) return divided_by_folds(scores.front().at);
    const std::vector<Vector> starts = distinct(scores, wanted_);
    return starts.empty() ? from : starts;
  }

 private:
  bool stopped() const { return options_.compute.stop && options_.compute.stop(); }

  /// The question of descents side by side: callbacks run on the calling thread only, and ranks ask between descents.
  std::function<bool()> stop_within() const {
    return [this, caller = std::this_thread::get_id()] {
      if (std::this_thread::get_id() == caller && !shared(options_.compute.communicator.get()) && stopped()) {
        stop_requested_ = true;
      }
      return stop_requested_.load();
    };
  }

  /// The values at the scale of the data, those of the screening, and the best others by the folds of a few rows.
  std::vector<Vector> promising_by_folds() const {
    const std::vector<Vector> candidates = candidate_starts(problem_, part_, options_);
    std::vector<Vector> chosen;
    const std::optional<Vector> relevant = relevance_start(problem_, options_);
    if (relevant) chosen.push_back(*relevant);
    chosen.push_back(candidates.front());
    for (const HeldOutScore& score : ranked(few_, candidates, threads_)) {
      if (chosen.size() >= std::max<std::size_t>(wanted_, relevant ? 2 : 1)) break;
      if (!is_known(chosen, score.at)) chosen.push_back(score.at);
    }
    return chosen;
  }

  Index own_size() const { return log_values(part_).size(); }

  /// Where a few steps along the error of the folds lead from these values.
  std::vector<Vector> followed_by_folds(const Problem& compared, const std::vector<Vector>& from) const {
    TrainOptions descent = options_;
    descent.trainer = "gauss-newton";
    descent.start = Start::values;
    descent.restarts = 1;
    descent.scan_periods = false;
    descent.max_iterations = steps_on_few_rows;
    descent.gauss_newton = {};
    descent.gauss_newton.tolerance = 1e-3;
    descent.gauss_newton.criterion = Criterion::squared;
    descent.gauss_newton.least_noise = compared.noise.least;  // all rows may be iterated on
    descent.compute = {};
    descent.compute.solver = Solver::cholesky;
    descent.compute.threads = from.size() > 1 ? 1 : threads_;
    descent.compute.stop = stop_within();
    descent.checkpoint = {};
    descent.resume = {};
    std::vector<Vector> ends(from.size());
    parallel_for(static_cast<int>(from.size()), threads_, [&](int i) {
      const auto start = static_cast<std::size_t>(i);
      Problem at = compared;
      at.kernel = kernel_at(compared, from[start]);
      at.noise.variance = noise_at(compared, from[start]);
      const TrainResult result = train_gauss_newton(at, descent, {});
      if (!std::isfinite(result.objective)) return;
      at.kernel = result.kernel;
      at.noise.variance = result.noise;
      ends[start] = log_values(at);
    });
    std::erase_if(ends, [](const Vector& u) { return u.size() == 0 || !u.allFinite(); });
    return ends;
  }

  /// Starts of a sum: from lengths that are drawn apart around the best values. They are compared on as many rows as
  /// there are, because few rows do not show the effects of single inputs.
  std::vector<Vector> divided_by_folds(const Vector& best) const {
    std::vector<Vector> from{best};
    for (int i = 1; i <= divided_starts; ++i) {
      from.push_back(divided_start(problem_, best, options_.seed + 1000 * static_cast<std::uint64_t>(i)));
    }
    std::vector<Vector> ends = followed_by_folds(part_, from);
    ends.push_back(best);
    const std::vector<Vector> starts = distinct(ranked(part_, ends, threads_), wanted_);
    return starts.empty() ? from : starts;
  }

  /// Random values of which the best are followed.
  std::vector<Vector> more(const Problem& compared) const {
    Random random(options_.seed + 3);
    const LogParameters own = log_parameters(part_);
    const std::vector<Parameter> free = problem_.kernel.free_parameters();
    std::vector<Vector> candidates;
    for (int i = 0; i < random_candidates; ++i) {
      Vector u = random_start(part_, random);
      // Some inputs matter and others do not.
      for (std::size_t j = 0; j < free.size(); ++j) {
        if (free[j].role == Role::length_scale && !free[j].given && random.uniform() < 0.5) {
          u(static_cast<Index>(j)) += std::log(10.0);
        }
      }
      candidates.push_back(u.cwiseMax(own.lower).cwiseMin(own.upper));
    }
    std::vector<Vector> best;
    for (const HeldOutScore& score : ranked(few_, candidates, threads_)) {
      if (best.size() < wanted_) best.push_back(score.at);
    }
    return followed_by_folds(compared, best);
  }

  void add(std::vector<HeldOutScore>& scores, const Problem& compared, const std::vector<Vector>& ends) const {
    for (HeldOutScore& score : ranked(compared, ends, threads_)) scores.push_back(std::move(score));
    std::stable_sort(scores.begin(), scores.end(),
                     [](const HeldOutScore& a, const HeldOutScore& b) { return a.squares < b.squares; });
  }

  const Problem& problem_;
  const TrainOptions& options_;
  const bool insist_;
  const int threads_;
  const Problem part_, few_;
  const std::size_t wanted_;
  mutable std::atomic<bool> stop_requested_ = false;
};

}  // namespace

std::vector<Vector> automatic_starts(const Problem& problem, Index rows, const TrainOptions& options, bool insist) {
  return StartSearch(problem, rows, options, insist).run();
}

}  // namespace gpcv
