#include "fit/shared_kernel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "assessment/conformal.hpp"
#include "core/blas_library.hpp"
#include "evaluation/target_predictions.hpp"
#include "fit/common_rows.hpp"
#include "fit/kernel_fit.hpp"
#include "fit/kernel_race.hpp"
#include "fit/shared_folds.hpp"
#include "fit/stopping.hpp"
#include "fit/transformed_data.hpp"
#include "fit/validation.hpp"
#include "gpcv/error.hpp"
#include "gpcv/model_findings.hpp"
#include "problem/fold_targets.hpp"

namespace gpcv {
namespace {

/// What a target has while the models are made.
struct SharedTarget {
  FitPlan plan;
  PhaseTimes phases;
  FitResult out;
};

class SharedKernelFit {
 public:
  /// targets: transformed
  SharedKernelFit(const std::vector<Dataset>& targets, const FitOptions& options,
                  const std::function<void(Index)>& begin, const Observer& observer, const Announce& announce)
      : targets_(targets),
        options_(options),
        begin_(begin),
        observer_(observer),
        announce_(announce),
        common_(common_rows(targets, options)),
        folds_(folds_of_all()) {}

  std::vector<FitResult> run() {
    if (begin_) begin_(0);
    if (options_.choose_kernel) phases_.time("choose", [&] { choose(); });
    prepare();
    stopping_->before_training(*options_.train.deadline);
    training_ = phases_.time("train", [&] { return train_stoppable(plan_, *stopping_, options_, observer_); });
    plan_.problem.kernel = training_.kernel;
    plan_.problem.noise.variance = training_.noise;
    if (options_.stoppable) {
      options_.stoppable(static_cast<double>(targets_.size()) * stopping_->seconds_afterwards());
    }
    assess();
    std::vector<FitResult> results;
    for (std::size_t j = 0; j < targets_.size(); ++j) results.push_back(finished(j));
    return results;
  }

 private:
  /// The folds of each target, and of the common rows.
  std::vector<std::optional<FoldOptions>> folds_of_all() const {
    if (common_.all) return std::vector<std::optional<FoldOptions>>(targets_.size() + 1, options_.folds);
    std::vector<Dataset> all = targets_;
    all.push_back(common_.leading);
    return shared_folds(all, options_);
  }

  /// The kernel is chosen by the target that stands for all.
  void choose() {
    FitOptions options = options_;
    options.folds = folds_.back();
    ChosenKernel chosen = choose_kernel(common_.leading, options);
    options_ = with_kernel(chosen, options_);
    cut_short_ = chosen.cut_short;
    ranking_ = std::move(chosen.ranking);
  }

  void prepare() {
    FitOptions options = options_;
    options.folds = folds_.back();
    if (options.warm) {
      // The values of an earlier model count in units of its target, as those of all targets here do.
      auto warm = std::make_shared<Model>(*options.warm);
      warm->scaling.y_scale = scaling_of(common_.leading, options).y_scale;
      options.warm = std::move(warm);
    }
    plan_ = phases_.time("prepare", [&] { return plan_fit(common_.leading, options); });
    Matrix& targets = plan_.problem.targets = common_.targets;
    const Vector& rows = plan_.row_noise.row_scale;
    if (rows.size() > 0) targets = rows.asDiagonal() * targets;
    if (announce_) announce_(plan_.problem, plan_.execution.to_string());
    stopping_.emplace(plan_, options_);
  }

  /// The folds' predictions of each target at the trained values, by one factorisation or one block of solves; empty
  /// where the targets are to be validated one by one.
  std::vector<std::shared_ptr<FoldPredictions>> predictions() {
    const bool stopped = has_ended(training_);
    if (stopped) options_.train.deadline->finish();
    std::shared_ptr<FoldPredictions> all = std::move(training_.evaluator);
    if (!common_.all) return {};
    if (stopped && !all && !stopping_->validates_before(*options_.train.deadline)) return {};
    if (!all && !has_room_for_all()) return {};
    const auto problem = std::make_shared<Problem>(over_all_targets(plan_.problem));
    if (!all || all->residuals().size() != problem->folds.validated()) {
      all.reset();  // with what it holds
      ComputeOptions compute = plan_.compute;
      compute.solver = solver_of_all();
      all = verified(problem, compute);
      if (!all && compute.solver != plan_.compute.solver) all = verified(problem, plan_.compute);
    }
    if (!all) return {};
    return predictions_of_targets(std::move(all), plan_.problem.folds, plan_.problem.targets.cols());
  }

  /// Whether the weights of all folds and targets, and what is computed from them, fit into memory.
  bool has_room_for_all() const {
    constexpr double copies = 6;
    const Problem& problem = plan_.problem;
    const double columns = static_cast<double>((problem.folds.size() + 1) * problem.targets.cols());
    const double bytes = copies * sizeof(double) * static_cast<double>(problem.x.rows()) * columns;
    return plan_.compute.memory == 0 || bytes < static_cast<double>(plan_.compute.memory);
  }

  /// The folds of all targets at the trained values; null where they cannot be solved for, or a stop was asked for.
  static std::shared_ptr<FoldPredictions> verified(const std::shared_ptr<Problem>& problem,
                                                   const ComputeOptions& compute) {
    try {
      std::unique_ptr<FoldEvaluator> evaluator = make_evaluator(problem, compute);
      verify_or_throw(*evaluator, *problem);
      return evaluator;
    } catch (const NumericalError&) {
      return nullptr;
    } catch (const Interrupted&) {
      return nullptr;
    }
  }

  /// The solver of all targets' folds and weights: iterations take less time than a factorisation for few columns. Five
  /// targets of 4000 rows took 2 s instead of 4 s.
  Solver solver_of_all() const {
    const Solver planned = plan_.compute.solver;
    const Problem& problem = plan_.problem;
    if (options_.train.compute.solver != Solver::automatic || planned == Solver::cg) return planned;
    Shape shape = shape_of(problem, problem.folds);
    shape.columns = (shape.folds + 1) * problem.targets.cols();
    shape.parameters = 0;  // no derivatives
    ComputeOptions iterated = plan_.compute;
    iterated.solver = Solver::cg;
    const double factorised = CostModel(shape, plan_.compute).dense_step_seconds();
    return factorised < plan_solves(shape, iterated).seconds ? planned : Solver::cg;
  }

  void assess() {
    trained_errors_ = training_.evaluator ? training_.evaluator->residuals().size() : plan_.problem.folds.validated();
    auto own = phases_.time("validate", [&] { return predictions(); });
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      if (begin_ && j > 0) begin_(static_cast<Index>(j));
      made_.push_back(planned(j));
      SharedTarget& target = made_.back();
      target.out.training = training_of(target.plan, own.empty() ? nullptr : std::exchange(own[j], nullptr));
      assess_by_folds(target.plan, *stopping_, options_, targets_[j].columns, target.phases, target.out);
    }
  }

  /// The plan of a target at the trained values, with the inputs standardised as in training.
  SharedTarget planned(std::size_t j) const {
    FitOptions options = options_;
    options.warm.reset();
    options.folds = folds_[j];
    SharedTarget target{plan_fit(targets_[j], options, &plan_.scaling), {}, {}};
    target.plan.problem.kernel = training_.kernel;
    target.plan.problem.noise.variance = noise_of(target.plan.row_noise);
    target.plan.execution = plan_.execution;
    target.plan.compute.stop = plan_.compute.stop;
    target.out.model.scaling = target.plan.scaling;
    return target;
  }

  /// The trained noise in units of a target's rows, whose reference is not that of the rows that all have.
  double noise_of(const RowNoise& own) const {
    const double common = plan_.row_noise.reference;
    if (options_.noise.fixed || common <= 0 || own.reference <= 0) return training_.noise;
    return training_.noise * std::pow(own.reference / common, 2);
  }

  /// The training as that of one target.
  TrainResult training_of(const FitPlan& plan, std::shared_ptr<FoldPredictions> predictions) const {
    TrainResult own = training_;
    own.cv_residuals.resize(0);
    own.weights.resize(0);
    own.weights_residual = std::numeric_limits<double>::infinity();
    own.evaluator = std::move(predictions);
    if (!own.evaluator) return own;
    const AllRowWeights weights = own.evaluator->all_row_weights();
    own.weights = weights.of(0);
    own.weights_residual = weights.residual;
    own.cv_residuals = plan.problem.folds.by_row(own.evaluator->residuals());
    return own;
  }

  FitResult finished(std::size_t j) {
    SharedTarget& target = made_[j];
    FitResult& out = target.out;
    condition_and_keep(target.plan, *stopping_, targets_[j], options_, target.phases, out);
    Provenance& provenance = out.model.provenance;
    provenance.settings.emplace_back("share_kernel", fmt::format("{} targets", targets_.size()));
    provenance.kernels = ranking_;
    if (cut_short_) provenance.message += "; the choice of the kernel was cut short";
    if (!has_ended(training_) && out.left_out.empty() && !provenance.held_out.empty()) {
      estimate_optimism(provenance, training_, trained_errors_);
    }
    // The time of what the targets have in common is the first one's.
    PhaseTimes times = j == 0 ? phases_ : PhaseTimes();
    for (const auto& [phase, seconds] : target.phases.phases()) times.add(phase, seconds);
    out.seconds = times.phases();
    return std::move(out);
  }

  const std::vector<Dataset>& targets_;
  FitOptions options_;
  const std::function<void(Index)>& begin_;
  const Observer& observer_;
  const Announce& announce_;
  const CommonRows common_;
  const std::vector<std::optional<FoldOptions>> folds_;
  PhaseTimes phases_;
  std::vector<RankedKernel> ranking_;
  bool cut_short_ = false;
  FitPlan plan_;
  std::optional<Stopping> stopping_;
  TrainResult training_;
  Index trained_errors_ = 0;  ///< held-out errors of all targets that training has minimised
  std::vector<SharedTarget> made_;
};

/// Throws InputError for what needs a training of each target.
void require_shareable(const std::vector<Dataset>& targets, const FitOptions& options) {
  std::string what;
  if (!trainer_info(options.train.trainer).pools_folds) what = fmt::format("the trainer {}", options.train.trainer);
  if (options.robust) what = "robust training";
  if (options.noise_model != NoiseModel::constant) what = "learned noise";
  if (options.transform.automatic || options.transform.trained) what = "a transform that is trained or chosen";
  if (!options.checkpoint.empty()) what = "a checkpoint";
  if (options.assess == Assess::nested) what = "a nested assessment";
  for (const Dataset& data : targets) {
    if (RowNoise::of(data).known) what = "known noise of each row, which is in units of one target,";
  }
  if (what.empty()) return;
  throw InputError(fmt::format("{} is not possible where targets share a kernel", what), Remedy::omit_option,
                   {"share_kernel"});
}

/// Trains on all rows but those set aside, whose scores say how wide the intervals of each target must be.
std::vector<FitResult> fit_all_and_set_aside(const std::vector<Dataset>& targets, const FitOptions& options,
                                             const std::function<void(Index)>& begin, const Observer& observer,
                                             const Announce& announce) {
  FitOptions rest = options;
  rest.calibration = 0;
  std::vector<Dataset> training;
  std::vector<SetAside> parts;
  for (const Dataset& data : targets) {
    if (data.reading.dropped != targets.front().reading.dropped) {
      throw InputError("rows can be set aside for targets that share a kernel only where none lacks a row of another",
                       Remedy::omit_option, {"calibration"});
    }
    parts.push_back(set_aside(data, options.folds.value_or(FoldOptions{}), options.calibration, options.train.seed));
    training.push_back(std::move(parts.back().training));
  }
  if (rest.folds && rest.folds->folds) {
    rest.folds->folds = std::make_shared<Folds>(rest.folds->folds->of_rows(parts.front().rows));
  }
  std::vector<FitResult> results = fit_shared_kernel(training, rest, begin, observer, announce);
  const ComputeOptions& compute = options.train.compute;
  for (std::size_t j = 0; j < results.size(); ++j) {
    const Stopwatch watch;
    try {
      if (compute.stop && compute.stop()) throw Interrupted("stopped");
      results[j].model.conformal = conformal_scores(results[j].model, parts[j].aside, compute);
      results[j].seconds.emplace_back("conformal", watch.seconds());
    } catch (const Interrupted&) {
      results[j].leave_out("conformal intervals", status_of_end(*options.train.deadline));
    }
  }
  return results;
}

/// The model of a transformed target as that of the target.
void keep_transform(const TargetTransform& transform, const TransformOptions& wanted, const Dataset& data,
                    Model& model) {
  if (wanted.is_none()) return;
  Provenance& provenance = model.provenance;
  model.transform = transform;
  provenance.settings.emplace_back("transform", wanted.to_string());
  if (!provenance.held_out.empty()) provenance.cv_rmse = provenance.inner_rmse = held_out_rmse(model, data.y);
}

}  // namespace

std::vector<FitResult> fit_shared_kernel(const std::vector<Dataset>& targets, const FitOptions& wanted,
                                         const std::function<void(Index)>& begin, const Observer& observer,
                                         const Announce& announce) {
  if (targets.empty()) throw InputError("there are no targets");
  for (const Dataset& data : targets) require_trainable(data);
  require_shareable(targets, wanted);
  FitOptions options = wanted;
  const bool begins = options.train.deadline == nullptr;
  begin_deadline(options);
  options.kernel = options.kernel.resolved(targets.front().columns);
  require_blas_memory(options.train.compute.threads);
  if (begins) require_enough_time(targets.front(), options);
  if (options.calibration > 0) return fit_all_and_set_aside(targets, options, begin, observer, announce);
  std::vector<Dataset> on_scale;
  std::vector<TargetTransform> transforms;
  for (const Dataset& data : targets) {
    require_transformable(data, options);
    transforms.push_back(placed(options.transform, data.y));
    on_scale.push_back(transformed(data, transforms.back()));
  }
  std::vector<FitResult> results = SharedKernelFit(on_scale, options, begin, observer, announce).run();
  for (std::size_t j = 0; j < results.size(); ++j) {
    keep_transform(transforms[j], options.transform, targets[j], results[j].model);
    results[j].findings = findings_about(results[j].model);
  }
  return results;
}

}  // namespace gpcv
