#include "fit/fit_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fit/backend_choice.hpp"
#include "fit/row_screening.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

/// Sets the start values to those of an earlier model of the same kernel, converted to the current scaling.
void start_from(const Model& warm, const Standardization& scaling, Problem& problem, TrainOptions& options) {
  const auto mine = problem.kernel.parameters();
  const auto theirs = warm.kernel.parameters();
  const auto same = [](const Parameter& a, const Parameter& b) { return a.name == b.name && a.columns == b.columns; };
  if (warm.x.cols() != problem.x.cols() || !std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), same)) {
    throw InputError(fmt::format("the model to start from has the kernel {} on {} inputs, this training {} on {}",
                                 warm.kernel.to_string(3), warm.x.cols(), problem.kernel.to_string(3),
                                 problem.x.cols()));
  }
  const double target = std::pow(warm.scaling.y_scale / scaling.y_scale, 2);
  std::vector<Parameter> parameters(mine.begin(), mine.end());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Parameter& p = parameters[i];
    if (p.fixed) continue;
    double unit = 1;
    if (p.role == Role::variance) unit = target;
    if (p.role == Role::length_scale || p.role == Role::period) {
      for (Index c : p.columns) {
        unit *= std::pow(warm.scaling.x_scale(c) / scaling.x_scale(c), 1 / static_cast<double>(p.columns.size()));
      }
    }
    p.value = theirs[i].value * unit;
    if (p.bounds) p.value = std::clamp(p.value, p.bounds->lower, p.bounds->upper);
    p.given = true;
  }
  problem.kernel = problem.kernel.with_parameters(std::move(parameters));
  if (!problem.noise.fixed) {
    problem.noise.variance = warm.noise * target;
    problem.noise.given = true;
  }
  options.scan_periods = false;
  if (!options.start) options.start = Start::values;
}

/// Default folds: one hold-out split for a trainer that takes one fold, otherwise five random folds, or fewer where
/// there are fewer rows.
FoldOptions default_folds(const TrainOptions& train, Index rows) {
  if (trainer_info(train.trainer).one_fold) return {.kind = FoldOptions::Kind::holdout, .fraction = 0.5};
  return {.count = std::min(FoldOptions{}.count, rows)};
}

/// Throws InputError when the lists of rows exceed the memory budget. Every fold lists all rows, so leave-one-out takes
/// n² entries.
void require_room(const FoldOptions& folds, Index rows, const ComputeOptions& compute) {
  using Kind = FoldOptions::Kind;
  constexpr Index few = 100;  // the lists of so few folds take less memory than the rest
  const bool counted = folds.kind != Kind::holdout && folds.kind != Kind::column && folds.kind != Kind::time;
  if (!counted || folds.count <= few) return;
  const double needed = 8.0 * static_cast<double>(rows) * static_cast<double>(std::min(folds.count, rows));
  if (needed <= static_cast<double>(compute.memory)) return;
  throw InputError(fmt::format("the rows of {} folds take {}, the memory budget is {}: ask for fewer folds",
                               folds.count, bytes(static_cast<std::size_t>(needed)), bytes(compute.memory)));
}

/// Adds the memory and the estimated time of training to the plan.
void plan_trainer(FitPlan& plan) {
  const TrainerTraits& traits = trainer_traits(plan.train.trainer);
  // Other trainers describe their own solver beside their memory.
  if (!traits.factorises) plan.execution.reason = "after training " + plan.execution.reason;
  const TrainingCost cost = traits.cost(plan.problem, plan.train);
  plan.execution.items.insert(plan.execution.items.end(), cost.memory.begin(), cost.memory.end());
  plan.seconds = cost.seconds;
  plan.training_solver = cost.solver;
}

}  // namespace

void require_checkpoint(const FitOptions& options) {
  if (options.resume && options.checkpoint.empty()) {
    throw InputError("resuming needs the file of a checkpoint", Remedy::name_checkpoint);
  }
  if (!options.checkpoint.empty() && !trainer_info(options.train.trainer).can_checkpoint) {
    throw InputError(fmt::format("the trainer {} cannot write checkpoints", options.train.trainer), Remedy::omit_option,
                     {"checkpoint"});
  }
}

Standardization scaling_of(const Dataset& data, const FitOptions& options) {
  return options.standardize ? trusted_scaling(data) : Standardization::identity(data.inputs());
}

Problem problem_of(const Dataset& data, const FitOptions& options, const Standardization& scaling,
                   const RowNoise& row_noise) {
  Problem problem{scaling.inputs(data.x), scaling.target(data.y),
                  options.kernel.resolved(data.columns).bind(data.inputs()), options.noise};
  problem.kernel = with_mean(problem.kernel, options.mean, problem.x, problem.y);
  row_noise.apply(problem);
  if (row_noise.known) {
    // Known noise is neither trained nor rescaled.
    problem.noise = {std::pow(row_noise.reference / scaling.y_scale, 2), true, true};
  }
  if (!problem.x.allFinite() || !problem.y.allFinite()) throw InputError("the data overflow when standardised");
  return problem;
}

FoldOptions fold_options_of(const FitOptions& options, Index rows) {
  return options.folds.value_or(default_folds(options.train, rows));
}

Folds folds_of(const Dataset& data, const FitOptions& options, const ComputeOptions& compute) {
  const FoldOptions how = fold_options_of(options, data.rows());
  require_room(how, data.rows(), compute);
  return how.make(data, options.train.seed);
}

double independent_errors(const Dataset& data, const FitOptions& options, const Folds& folds) {
  using Kind = FoldOptions::Kind;
  const Kind kind = options.folds.value_or(FoldOptions{}).kind;
  if (kind == Kind::groups) return static_cast<double>(std::set<Index>(data.labels.begin(), data.labels.end()).size());
  const bool blocks = kind == Kind::time || kind == Kind::blocks || kind == Kind::regions;
  return static_cast<double>(blocks ? folds.size() : folds.validated());
}

std::vector<Index> clusters_of(const Dataset& data, const FitOptions& options, const Folds& folds) {
  using Kind = FoldOptions::Kind;
  const Kind kind = options.folds.value_or(FoldOptions{}).kind;
  if (kind == Kind::groups) return data.labels;
  if (kind != Kind::time && kind != Kind::blocks && kind != Kind::regions) return {};
  std::vector<Index> clusters(static_cast<std::size_t>(folds.rows), -1);
  for (std::size_t k = 0; k < folds.folds.size(); ++k) {
    for (const Index row : folds.folds[k].validation) clusters[static_cast<std::size_t>(row)] = static_cast<Index>(k);
  }
  return clusters;
}

FitPlan plan_fit(const Dataset& data, const FitOptions& options, const Standardization* inputs) {
  require_trainable(data);
  require_checkpoint(options);
  FitPlan plan;
  Problem& problem = plan.problem;
  plan.scaling = scaling_of(data, options);
  if (inputs != nullptr) {
    plan.scaling.x_mean = inputs->x_mean;
    plan.scaling.x_scale = inputs->x_scale;
  }
  plan.row_noise = RowNoise::of(data);
  problem = problem_of(data, options, plan.scaling, plan.row_noise);
  plan.train = options.train;
  plan.train.compute = with_budget(options.train.compute);
  // The plan includes the memory of checkpoints; fit() replaces this function by one that writes them.
  if (!options.checkpoint.empty()) plan.train.checkpoint = [](const TrainingState&) {};
  if (options.warm) start_from(*options.warm, plan.scaling, problem, plan.train);
  problem.folds = folds_of(data, options, plan.train.compute);
  plan.independent_errors = independent_errors(data, options, problem.folds);
  plan.clusters = clusters_of(data, options, problem.folds);
  require_trainable(problem, options.train);
  const std::string place = choose_backend(problem, plan.train);

  plan.compute = plan.train.compute;
  const Shape shape = shape_of(problem, problem.folds);
  ComputeOptions solves = plan.compute;
  if (shape.parameters > 0 && trainer_traits(options.train.trainer).factorises) {
    plan.compute.solver = solves.solver = Solver::cholesky;
    solves.backend = "simd";  // the matrix of the training, which is on the host
  }
  plan.execution = plan_solves(shape, solves);
  plan.compute.solver = plan.execution.solver;
  plan_trainer(plan);
  if (!place.empty()) plan.execution.reason += "; " + place;
  // A kernel that the backend does not support is refused here. A device supports all kernels and is prepared later.
  if (resolve_backend(plan.compute.backend) != "cuda") {
    make_operator(problem.kernel.lower(), problem.x.topRows(1), plan.compute);
  }
  return plan;
}

}  // namespace gpcv
