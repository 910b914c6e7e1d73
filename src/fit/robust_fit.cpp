#include "fit/robust_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/mean_with_error.hpp"
#include "core/median.hpp"
#include "evaluation/conditioning.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "evaluation/held_out_variance.hpp"
#include "evaluation/scale_mixture.hpp"
#include "fit/stopping.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "problem/parameters.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

/// Trainings after the first one at most. Weights of gross errors stay after one; the last rounds move those of rows
/// three deviations off.
constexpr int most_weighings = 4;
/// Root mean square change of √w at which the weights stay.
constexpr double settled_weights = 0.02;
/// Neighbours on which a held-out row is conditioned for its variance where no factor is at hand.
constexpr Index variance_neighbours = 64;
/// Folds of the errors where those of the training leave rows out.
constexpr Index own_folds = 5;

/// One robust training, as far as it has come.
class RobustTraining {
 public:
  RobustTraining(FitPlan& plan, const Dataset& data, const FitOptions& options, FitResult& result)
      : plan_(plan), data_(data), options_(options), result_(result) {
    if (data_.trust.size() == 0) data_.trust = Vector::Ones(data_.rows());
  }

  void run() {
    take_values();
    start_ = first_start();
    deviations_ = Vector::Zero(data_.rows());
    try {
      weigh_and_train();
    } catch (const Interrupted&) {
      // The weights of the last training stay.
    } catch (const NumericalError& error) {
      result_.training.message += fmt::format("; the rows were not weighed to the end: {}", error.what());
    }
    keep();
  }

 private:
  void weigh_and_train() {
    for (int round = 1; result_.training.status != Status::stopped; ++round) {
      const SplitErrors errors = held_out_errors();
      mixture_ = scale_mixture(errors);
      const Vector next = mixture_.precisions(errors);
      deviations_ = errors.error.cwiseQuotient((mixture_.factor * errors.variance()).cwiseSqrt());
      const double change =
          std::sqrt((next.cwiseSqrt() - data_.trust.cwiseSqrt()).squaredNorm() / static_cast<double>(next.size()));
      if (change <= settled_weights && !forgets(next)) return;
      if (round > most_weighings || !has_time()) return;
      announce(round);
      if (!train_again(next)) return;
    }
  }

  /// Whether all rows are trusted now and some were not, so that no weight need be kept.
  bool forgets(const Vector& next) const { return next.minCoeff() == 1 && data_.trust.minCoeff() < 1; }

  bool has_time() const {
    const TrainOptions& train = options_.train;
    return !(train.compute.stop && train.compute.stop()) && !has_ended(result_.training);
  }

  void announce(int round) const {
    if (!options_.progress) return;
    options_.progress(
        fmt::format("weighing the rows by their held-out errors: training {} of at most {}", round, most_weighings));
  }

  /// The problem takes the trained values.
  void take_values() {
    plan_.problem.kernel = result_.training.kernel;
    plan_.problem.noise.variance = result_.training.noise;
  }

  /// log θ at which the first training began, around which its prior is; a training from where the last one ended would
  /// have its prior there, and so none. Where that is not known, the trained values.
  Vector first_start() const {
    const TrainResult& training = result_.training;
    Vector values = log_values(plan_.problem);
    const int restart = training.optima.empty() ? 0 : training.optima.front().restart;
    for (const IterationRecord& record : training.history) {
      if (record.restart != restart || static_cast<Index>(record.theta.size()) != values.size()) continue;
      const Vector start = Eigen::Map<const Vector>(record.theta.data(), values.size()).array().log();
      return start.allFinite() ? start : values;
    }
    return values;
  }

  /// Every row needs an error: where the folds of the training leave some out, others are made.
  bool folds_hold_out_all() const {
    return !plan_.problem.folds.by_row(Vector::Zero(plan_.problem.folds.validated())).hasNaN();
  }

  /// Errors of all rows by the folds at the trained values, as if their weight were 1.
  SplitErrors held_out_errors() const {
    auto problem = std::make_shared<Problem>(plan_.problem);
    std::shared_ptr<FoldPredictions> evaluator = result_.training.evaluator;
    if (!folds_hold_out_all()) {
      problem->folds = Folds::random(problem->x.rows(), std::min(own_folds, problem->x.rows()), plan_.train.seed);
      evaluator.reset();
    }
    if (!evaluator) {
      std::unique_ptr<FoldEvaluator> made = make_evaluator(problem, plan_.compute);
      verify_or_throw(*made, *problem);
      evaluator = std::move(made);
    }
    const Vector residuals = problem->folds.by_row(evaluator->residuals());
    const double noise = problem->noise.variance;
    const Vector variances = plan_.row_noise.trusted_variances(with_typical(variances_of(*evaluator, *problem)), noise);
    return {plan_.row_noise.trusted_residuals(residuals), (variances.array() - noise).max(0),
            Vector::Constant(residuals.size(), noise)};
  }

  /// Held-out variances of all rows: exact where the matrix is factorised, otherwise by neighbours.
  Vector variances_of(FoldPredictions& evaluator, const Problem& problem) const {
    using Kind = VarianceMethod::Kind;
    const Index all = problem.folds.validated() * problem.folds.size();
    if (!evaluator.iterates()) return evaluator.variances({.kind = Kind::exact}, all);
    const VarianceMethod method{.kind = Kind::neighbours, .neighbours = variance_neighbours};
    return held_out_variance_at(problem, log_values(problem), method, all, plan_.compute);
  }

  /// Rows without a variance have that of a typical row.
  static Vector with_typical(Vector variances) {
    std::vector<double> known;
    for (const double v : variances) {
      if (std::isfinite(v)) known.push_back(v);
    }
    if (known.empty()) throw NumericalError("no held-out row has a variance");
    const double typical = median(Eigen::Map<const Vector>(known.data(), static_cast<Index>(known.size())));
    return variances.unaryExpr([&](double v) { return std::isfinite(v) ? v : typical; });
  }

  /// Trains with the weights from the values that were found; false where that fails, and all is as before.
  bool train_again(const Vector& weights) {
    Dataset weighed = data_;
    weighed.trust = weights.minCoeff() < 1 ? weights : Vector();
    const RowNoise row_noise = RowNoise::of(weighed);
    const Vector values = log_values(plan_.problem);
    Problem problem = problem_of(weighed, options_, plan_.scaling, row_noise);
    problem.folds = plan_.problem.folds;
    problem.kernel = kernel_at(problem, values);
    problem.noise.variance = noise_at(problem, values);
    TrainResult trained = train(started(problem), options_from(start_), {});
    say_time_limit(*plan_.train.deadline, trained);
    if (std::isnan(trained.objective) || trained.status == Status::numerical_failure) return false;
    append_history(trained);
    plan_.problem = std::move(problem);
    plan_.row_noise = row_noise;
    result_.training = std::move(trained);
    data_.trust = weights;
    take_values();
    return true;
  }

  /// Values that count as given, for trainers that start from those of the problem.
  Problem started(Problem problem) const {
    if (trainer_info(options_.train.trainer).pools_folds) return problem;
    std::vector<Parameter> parameters(problem.kernel.parameters().begin(), problem.kernel.parameters().end());
    for (Parameter& p : parameters) p.given = true;
    problem.kernel = problem.kernel.with_parameters(std::move(parameters));
    problem.noise.given = true;
    return problem;
  }

  TrainOptions options_from(const Vector& values) const {
    TrainOptions train = plan_.train;
    train.restarts = 1;
    train.scan_periods = false;
    train.checkpoint = {};
    train.resume.reset();
    if (trainer_info(train.trainer).pools_folds) {
      train.start = Start::automatic;
      train.known_starts = {values};
    } else {
      train.start = Start::values;
    }
    return train;
  }

  /// The iterations of all trainings are one history.
  void append_history(TrainResult& trained) const {
    const TrainResult& before = result_.training;
    trained.iterations += before.iterations;
    trained.seconds += before.seconds;
    trained.history.insert(trained.history.begin(), before.history.begin(), before.history.end());
  }

  void keep() {
    RowTrust& trust = result_.model.provenance.trust;
    trust.weights = data_.trust;
    trust.alone = data_.noise.size() == 0;
    trust.share = mixture_.share;
    trust.degrees = mixture_.degrees;
    for (Index i = 0; i < trust.weights.size(); ++i) {
      if (!trust.distrusts(i)) continue;
      const std::string id = data_.ids.empty() ? "" : data_.ids[static_cast<std::size_t>(i)];
      trust.distrusted.push_back({i, data_.reading.table_row(i), id, deviations_(i), trust.weights(i)});
    }
    std::stable_sort(
        trust.distrusted.begin(), trust.distrusted.end(),
        [](const DistrustedRow& a, const DistrustedRow& b) { return std::abs(a.deviations) > std::abs(b.deviations); });
  }

  FitPlan& plan_;
  Dataset data_;  ///< with the weights of the last training
  const FitOptions& options_;
  FitResult& result_;
  ScaleMixture mixture_;
  Vector deviations_, start_;
};

/// "row 17 (p3) by 20.3 deviations"
std::string named(const DistrustedRow& row) {
  return fmt::format("row {}{} by {:.1f} deviations", row.table_row + 1,
                     row.id.empty() ? "" : fmt::format(" ({})", row.id), row.deviations);
}

}  // namespace

void weigh_rows(FitPlan& plan, const Dataset& data, const FitOptions& options, FitResult& result) {
  RobustTraining(plan, data, options, result).run();
}

Folds without_distrusted(Folds folds, const RowTrust& trust) {
  for (Fold& fold : folds.folds) {
    std::erase_if(fold.validation, [&](Index row) { return trust.distrusts(row); });
  }
  return folds;
}

std::vector<Finding> findings_about_trust(const Model& model) {
  const RowTrust& trust = model.provenance.trust;
  if (trust.distrusted.empty()) return {};
  constexpr std::size_t shown = 5;
  std::vector<std::string> worst;
  for (const DistrustedRow& row : trust.distrusted) {
    if (worst.size() < shown) worst.push_back(named(row));
  }
  const std::size_t count = trust.distrusted.size(), rows = static_cast<std::size_t>(trust.weights.size());
  std::string text = fmt::format("{} of {} rows contradict{} the model and {} little weight, counted from 1: {}{}",
                                 count, rows, count == 1 ? "s" : "", count == 1 ? "has" : "have",
                                 fmt::join(worst, "; "), count > shown ? "; …" : "");
  if (!model.provenance.held_out.empty()) {
    const Vector errors = training_targets(model) - held_out_prediction(model).mean;
    text += fmt::format(". Errors and coverages are those of the other {} rows: {:.4g}, and {:.4g} with all",
                        rows - count, root_mean_square(trust.trusted(errors)), root_mean_square(errors));
  }
  return {{Severity::warning, "distrusted_rows", text}};
}

}  // namespace gpcv
