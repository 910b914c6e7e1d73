#include "fit/nested.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "assessment/calibration.hpp"
#include "assessment/importance.hpp"
#include "core/clock.hpp"
#include "core/deadline.hpp"
#include "evaluation/error_scale.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "fit/fit_plan.hpp"
#include "fit/kernel_race.hpp"
#include "fit/learned_noise.hpp"
#include "fit/robust_fit.hpp"
#include "fit/transform_race.hpp"
#include "fit/validation.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

constexpr Index most_outer_folds = 5;
/// Limit of Assess::automatic for the whole fit.
constexpr double most_seconds = 20;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FoldOptions outer_folds(const FitOptions& options, Index rows) {
  FoldOptions folds = options.folds.value_or(FoldOptions{.count = std::min<Index>(most_outer_folds, rows)});
  folds.count = std::min(folds.count, most_outer_folds);
  folds.blocks = std::min(folds.blocks, most_outer_folds);
  // Fewer outer folds than were given row by row are made again.
  if (folds.folds && folds.folds->size() > most_outer_folds) folds.folds.reset();
  return folds;
}

/// Rough seconds of a fit on two cores. With a choice of the kernel, 0.2 µs per pair of rows and parameter is near what
/// four tables of 605 to 1353 rows took, 1.9 to 4.8 s; half of that for a given kernel is an assumption.
double estimated_seconds(const FitOptions& options, const Dataset& data, Index rows, Index parameters) {
  const double pairs = std::pow(static_cast<double>(rows), 2);
  // Held parameters are evaluated, too.
  const double p = options.choose_kernel ? 2 * static_cast<double>(data.inputs()) + 4
                                         : static_cast<double>(std::max<Index>(parameters, 1));
  const double training = options.choose_kernel ? 0.5 + 2e-7 * pairs * p : 0.1 + 1e-7 * pairs * p;
  const double learned = training * time_of_learned_noise(options);
  if (!options.transform.automatic) return learned;
  // The choice of a transform trains a few kernels, on a part of a large table.
  const double raced = std::pow(static_cast<double>(std::min(rows, most_transformed_rows)), 2);
  return learned + 0.3 + 1e-7 * raced * (2 * static_cast<double>(data.inputs()) + 4);
}

}  // namespace

double outer_work(const FitOptions& options, const Dataset& data) {
  const FoldOptions folds = outer_folds(options, data.rows());
  const bool chained = folds.kind == FoldOptions::Kind::time;
  const auto count = static_cast<double>(chained ? folds.blocks : std::min(folds.count, data.rows()));
  return count * (chained ? 0.5 : std::pow(1 - 1 / count, 2));
}

namespace {

bool can_nest(const FitOptions& options) {
  using Kind = FoldOptions::Kind;
  const Kind kind = options.folds.value_or(FoldOptions{}).kind;
  return kind != Kind::holdout && kind != Kind::column && kind != Kind::given;
}

/// Noise of the rows that the table states, or that the model has learned.
RowNoise row_noise_of(const Model& model, const Dataset& data) {
  if (model.noise_process.is_constant()) return RowNoise::of(data);
  return {.row_scale = model.x.rightCols(1).col(0), .reference = model.noise_reference, .learned = true};
}

/// Options of the training in an outer fold.
FitOptions inner_options(const FitOptions& options, Index rows) {
  FitOptions inner = options;
  inner.assess = Assess::inner;
  inner.checkpoint.clear();
  inner.resume = false;
  inner.every_held_out_variance = false;
  inner.importance = false;
  inner.progress = {};
  inner.stoppable = {};
  inner.abandon = [] { return true; };  // a part of an assessment is of no use
  inner.train.deadline.reset();         // the end of the whole fit is a request to stop here
  inner.warm.reset();                   // the earlier model has seen the rows that are held out here
  if (inner.folds) {
    inner.folds->count = std::min(inner.folds->count, rows);
    inner.folds->folds.reset();  // they are those of all rows
  }
  return inner;
}

class NestedAssessment {
 public:
  NestedAssessment(Model& model, const Dataset& data, const FitOptions& options, double seconds_so_far)
      : model_(model),
        data_(data),
        options_(options),
        before_(seconds_so_far),
        target_(model.transform.is_none() ? data.y : model.transform.forward(data.y)),
        noise_(row_noise_of(model, data)),
        folds_(outer_folds(options, data.rows()).make(data, options.train.seed)),
        residuals_(Vector::Constant(data.rows(), nan)),
        importance_(without_distrusted(folds_, model.provenance.trust), inputs_of(model), options.train.seed) {}

  /// Assesses the error and returns an empty text, or why it could not; the model is then as it was.
  std::string run() {
    try {
      for (std::size_t k = 0; k < folds_.folds.size() && !stopped(); ++k) {
        announce(k);
        if (!add_fold(static_cast<Index>(k))) ++failed_;
      }
      if (stopped()) return "it was stopped";
      if (2 * failed_ >= folds_.size()) return failure();
      take_errors(variances_of_model());
    } catch (const Interrupted&) {
      return "it was stopped";
    } catch (const NumericalError& error) {
      return error.what();
    }
    return "";
  }

  const Folds& folds() const { return folds_; }

 private:
  std::string failure() const {
    return fmt::format("{} of {} outer folds failed{}{}", failed_, folds_.size(), reason_.empty() ? "" : ": ", reason_);
  }

  bool stopped() const {
    const ComputeOptions& compute = options_.train.compute;
    return compute.stop && compute.stop();
  }

  void announce(std::size_t fold) const {
    if (!options_.progress) return;
    const double each = fold > 0 ? watch_.seconds() / static_cast<double>(fold) : 0.7 * before_;
    options_.progress(fmt::format("assessing the error: outer fold {} of {}, about {:.0f} s left", fold + 1,
                                  folds_.size(), each * static_cast<double>(folds_.folds.size() - fold)));
  }

  /// Trains on the rows of an outer fold and predicts the others; false where that fails.
  bool add_fold(Index k) {
    const Fold& fold = folds_.folds[static_cast<std::size_t>(k)];
    const Dataset part = data_.rows_at(fold.training);
    FitOptions inner = inner_options(options_, part.rows());
    std::optional<FitResult> trained = trained_on(part, inner);
    if (!trained) return false;
    const Status status = trained->training.status;
    if (status != Status::converged && status != Status::max_iterations) return false;
    trained->model.error_scale = {};
    const Posterior posterior(std::move(trained->model), options_.train.compute);
    const Matrix x = data_.x(fold.validation, Eigen::all);
    const Vector centres = on_scale_of_model(posterior, x);
    take_noise(posterior.model(), fold.validation, x);
    for (std::size_t i = 0; i < fold.validation.size(); ++i) {
      const Index row = fold.validation[i];
      const double scale = noise_.empty() ? 1 : noise_.row_scale(row);
      residuals_(row) = scale * (target_(row) - centres(static_cast<Index>(i))) / model_.scaling.y_scale;
    }
    if (options_.importance) add_importance(k, posterior);
    return true;
  }

  /// The noise of held-out rows is that which the outer model has learned without them.
  void take_noise(const Model& outer, const std::vector<Index>& rows, const Matrix& x) {
    if (!noise_.learned) return;
    const Vector log_factor = outer.noise_process.log_factor(outer.scaling.inputs(x));
    noise_.row_scale(rows) = (-0.5 * log_factor).array().exp();
  }

  void add_importance(Index k, const Posterior& posterior) {
    importance_.measure(k, data_.x, [&](const Matrix& points, const std::vector<Index>& rows) -> Vector {
      return target_(rows) - on_scale_of_model(posterior, points);
    });
  }

  /// Medians that an outer model predicts, in units of the transformed target of the model: folds may choose different
  /// transforms. A median outside of the domain counts as the nearest target.
  Vector on_scale_of_model(const Posterior& outer, const Matrix& points) const {
    Vector values = outer.predict(points, {.mean_only = true, .transformed = true}).mean;
    const TargetTransform &transform = model_.transform, &own = outer.model().transform;
    if (own == transform) return values;
    return values.unaryExpr([&](double value) {
      const double y = own.inverse(value);
      return transform.forward(transform.contains(y) ? y : std::clamp(y, data_.y.minCoeff(), data_.y.maxCoeff()));
    });
  }

  /// Blocks in time may be too many, or too wide, for the earliest rows alone.
  std::optional<FitResult> trained_on(const Dataset& part, FitOptions inner) {
    for (;;) {
      try {
        return fit(part, inner);
      } catch (const InputError& error) {
        const bool fewer = inner.folds && inner.folds->kind == FoldOptions::Kind::time && inner.folds->blocks > 1;
        if (!fewer) {
          reason_ = error.what();
          return std::nullopt;
        }
        --inner.folds->blocks;
      } catch (const NumericalError& error) {
        reason_ = error.what();
        return std::nullopt;
      }
    }
  }

  /// The variances that the model itself states for the rows of each outer fold, given the others. Those of the outer
  /// models belong to other kernels, whose scales may differ.
  Vector variances_of_model() const {
    const ComputeOptions compute = with_budget(options_.train.compute);
    const auto problem =
        std::make_shared<Problem>(Problem{model_.x, model_.y, model_.kernel, {.variance = model_.noise}, folds_});
    const std::unique_ptr<FoldEvaluator> evaluator = make_evaluator(problem, compute);
    verify_or_throw(*evaluator, *problem);
    RowNoise weights;
    weights.trust = model_.noise_reference > 0 ? model_.provenance.trust.weights : Vector();
    return weights.trusted_variances(held_out_variance(evaluator.get(), *problem, compute, true).variance,
                                     model_.noise);
  }

  /// The weight of a row is the number of rows that its outer training had, relative to the largest such number.
  Vector weights() const {
    Vector out = Vector::Ones(data_.rows());
    std::size_t most = 1;
    for (const Fold& fold : folds_.folds) most = std::max(most, fold.training.size());
    for (const Fold& fold : folds_.folds) {
      const double weight = static_cast<double>(fold.training.size()) / static_cast<double>(most);
      for (const Index row : fold.validation) out(row) = weight;
    }
    return out;
  }

  void take_errors(const Vector& stated) {
    const bool calibrated = !model_.error_scale.is_identity();
    HeldOut& held = model_.provenance.held_out;
    if (calibrated) {
      const bool free_noise = model_.provenance.trace_column("noise") >= 0 && (noise_.empty() || noise_.learned);
      const double independent = independent_errors(data_, options_, folds_);
      model_.error_scale = error_scale(model_.provenance.trust.trusted(residuals_), stated,
                                       {.added = free_noise, .independent = independent, .weights = weights()});
    }
    held.mean = target_ - model_.scaling.y_scale * noise_.in_target_units(residuals_);
    const Vector variance = stated.unaryExpr([&](double v) { return model_.error_scale.variance(v); });
    held.variance = model_.scaling.variance(noise_.in_target_units(noise_.in_target_units(variance)));
    Provenance& provenance = model_.provenance;
    if (options_.importance && failed_ == 0 && importance_.is_possible()) {
      provenance.importance = importance_.result(clusters_of(data_, options_, folds_));
    }
    provenance.cv_rmse = held_out_rmse(model_, data_.y);
    provenance.assessment = std::string(name_of(Assess::nested));
    provenance.folds = fmt::format("{}; each repeated the training", folds_.description);
    provenance.fold_of_row = folds_.fold_of_row();
    if (failed_ > 0) provenance.message += fmt::format("; {} of {} outer folds failed", failed_, folds_.size());
  }

  Model& model_;
  const Dataset& data_;
  const FitOptions& options_;
  const double before_;
  const Vector target_;  ///< transformed by the transform of the model
  RowNoise noise_;
  const Folds folds_;
  Vector residuals_;  ///< errors of the outer folds, in standardised units of the transformed target
  ImportanceMeasurement importance_;
  Index failed_ = 0;
  std::string reason_;  ///< why an outer fold failed
  Stopwatch watch_;
};

}  // namespace

std::string_view name_of(Assess assess) {
  switch (assess) {
    case Assess::automatic:
      return "auto";
    case Assess::nested:
      return "nested";
    case Assess::inner:
      break;
  }
  return "inner";
}

bool assesses_nested(const FitOptions& options, const Dataset& data, Index parameters, double seconds) {
  if (options.assess == Assess::inner || !uses_folds(options.train.trainer) || !can_nest(options)) return false;
  if (options.assess == Assess::nested) return true;
  if (!trainer_info(options.train.trainer).pools_folds) return false;  // the trainers of the paper do what it says
  const double whole = 1 + outer_work(options, data);
  // The estimate depends on the table alone, so that it gives the same numbers on any machine; a time limit does not.
  const Deadline* end = options.train.deadline.get();
  const double left = end != nullptr && end->is_limited() ? end->left() : Deadline::never;
  const bool late = seconds * (whole - 1) > left;
  if (agreed(options.train.compute.communicator.get(), late)) return false;
  return estimated_seconds(options, data, data.rows(), parameters) * whole <= most_seconds;
}

std::string assess_nested(Model& model, const Dataset& data, const FitOptions& options, double seconds_so_far,
                          Folds& outer) {
  NestedAssessment assessment(model, data, options, seconds_so_far);
  std::string why = assessment.run();
  outer = assessment.folds();
  return why;
}

}  // namespace gpcv
