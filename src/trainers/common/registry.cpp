/// Validation of the input of all trainers, and the training with the trainer that the options name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/clock.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/trainer.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

void require_valid(const Problem& problem) {
  if (problem.x.rows() != problem.y.size()) throw InputError("x and y have different numbers of rows");
  if (problem.x.rows() < 3)
    throw InputError(fmt::format("training needs at least 3 rows, there are {}", problem.x.rows()));
  if (problem.kernel.inputs() != problem.x.cols()) throw InputError("the kernel is not bound to the data's columns");
  if (!problem.x.allFinite() || !problem.y.allFinite()) throw InputError("the data contain NaN or infinite values");
  if (!(problem.noise.variance > 0) || !std::isfinite(problem.noise.variance)) {
    throw InputError("the noise variance must be positive and finite");
  }
}

void require_folds(const Problem& problem) {
  const Folds& folds = problem.folds;
  if (folds.folds.empty()) throw InputError("this trainer needs folds");
  if (folds.rows != problem.x.rows()) throw InputError("the folds are of another number of rows");
  auto inside = [&](Index row) { return row >= 0 && row < folds.rows; };
  for (const Fold& fold : folds.folds) {
    if (fold.training.empty() || fold.validation.empty()) {
      throw InputError("a fold has no rows to train on or none to validate: ask for fewer folds");
    }
    if (!std::all_of(fold.training.begin(), fold.training.end(), inside) ||
        !std::all_of(fold.validation.begin(), fold.validation.end(), inside)) {
      throw InputError("a fold names rows that the data do not have");
    }
  }
}

void require_positive(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw InputError(fmt::format("{} must be positive and finite, it is {}", name, value));
  }
}

void require_not_negative(double value, const char* name) {
  if (!(value >= 0) || !std::isfinite(value)) {
    throw InputError(fmt::format("{} cannot be {}", name, value));
  }
}

/// A factor strictly between 0 and 1.
void require_fraction(double value, const char* name) {
  if (!(value > 0 && value < 1)) throw InputError(fmt::format("{} must lie between 0 and 1, it is {}", name, value));
}

/// One positive value, or one per trained parameter.
void require_per_parameter(const std::vector<double>& values, std::size_t parameters, const char* name) {
  if (values.size() != 1 && values.size() != parameters) {
    throw InputError(fmt::format("{} has {} values: give one, or one for each of the {} trained parameters", name,
                                 values.size(), parameters));
  }
  for (const double value : values) require_positive(value, name);
}

void require_valid(const AdmmOptions& admm, std::size_t parameters) {
  require_positive(admm.rho, "rho");
  if (admm.rho_dual) require_positive(*admm.rho_dual, "the dual's rho");
  require_positive(admm.epsilon, "epsilon");
  if (admm.lambda0 && !std::isfinite(*admm.lambda0)) throw InputError("lambda0 must be finite");
  if (admm.step_size) require_positive(*admm.step_size, "the step size");
  if (admm.theta_steps && *admm.theta_steps < 1) {
    throw InputError(fmt::format("a theta-step needs at least 1 step, not {}", *admm.theta_steps));
  }
  require_per_parameter(admm.theta_tolerance, parameters, "the tolerance of the theta-step");
  require_per_parameter(admm.armijo_start, parameters, "the first step of Armijo's rule");
  require_fraction(admm.armijo_shrink, "the shrink factor of Armijo's rule");
  require_fraction(admm.armijo_slope, "the slope of Armijo's rule");
  require_not_negative(admm.perturbation, "the perturbation");
  require_positive(admm.z_tolerance, "the tolerance of the z-step");
  require_not_negative(admm.z_step_tolerance, "the change of z that ends a z-step");
  if (admm.z_iterations) require_not_negative(*admm.z_iterations, "the number of iterations of a z-step");
}

void require_valid(const TrainOptions& options) {
  if (options.restarts < 1) throw InputError(fmt::format("there cannot be {} starts", options.restarts));
  if (options.max_iterations < 1) {
    throw InputError(fmt::format("training needs at least 1 iteration, not {}", options.max_iterations));
  }
  require_positive(options.consensus.rho, "the consensus rho");
  require_positive(options.consensus.epsilon, "epsilon");
  if (!(options.prior >= 0) || !std::isfinite(options.prior)) {
    throw InputError(fmt::format("the weight of the prior cannot be {}", options.prior));
  }
  require_positive(options.gauss_newton.tolerance, "the tolerance");
  require_positive(options.gauss_newton.nested_tolerance, "the tolerance after parts of the rows");
  require_positive(options.gauss_newton.sensitivity_residual, "the residual of the sensitivities");
  if (!(options.time_limit >= 0)) throw InputError(fmt::format("the time limit cannot be {} s", options.time_limit));
}

TrainResult train_within_limit(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  const Stopwatch watch;
  TrainOptions limited = options;
  limited.time_limit = 0;
  const Communicator* communicator = options.compute.communicator.get();
  const auto over = [&] { return agreed(communicator, watch.seconds() >= options.time_limit); };
  limited.compute.stop = [&] { return over() || (options.compute.stop && options.compute.stop()); };
  bool asked = false;
  TrainResult result = train(problem, limited, [&](const IterationRecord& record) {
    asked = observer && !observer(record);
    return !asked && !over();
  });
  if (result.status == Status::stopped && !asked && !(options.compute.stop && options.compute.stop())) {
    result.status = Status::time_limit;
    result.message = fmt::format("the time limit of {:g} s was reached{}", options.time_limit,
                                 std::isnan(result.objective)
                                     ? " before the first error was known; these are start values, not trained"
                                     : "; this is the best so far");
  }
  return result;
}

}  // namespace

std::string_view name_of(Start start) {
  switch (start) {
    case Start::automatic:
      return "auto";
    case Start::subset:
      return "subset";
    case Start::local:
      return "local";
    case Start::values:
      return "values";
    case Start::median:
      return "median";
  }
  return "unknown";
}

std::string_view name_of(Criterion criterion) {
  switch (criterion) {
    case Criterion::crps:
      return "crps";
    case Criterion::squared:
      return "squared";
    case Criterion::log:
      return "log";
  }
  return "";
}

std::string_view name_of(Derivatives derivatives) {
  switch (derivatives) {
    case Derivatives::automatic:
      return "auto";
    case Derivatives::forward:
      return "forward";
    case Derivatives::adjoint:
      return "adjoint";
  }
  return "unknown";
}

void require_trainable(const Problem& problem, const TrainOptions& options) {
  require_valid(problem);
  const TrainerTraits& traits = trainer_traits(options.trainer);
  if (!traits.info.uses_folds) return;
  require_valid(options);
  require_valid(options.admm, theta_names(problem.kernel, problem.noise).size());
  require_folds(problem);
  if (traits.info.one_fold && problem.folds.size() > 1) {
    throw InputError(fmt::format("the trainer {} validates on one hold-out split, not on {} folds", options.trainer,
                                 problem.folds.size()),
                     Remedy::hold_out_or_change_trainer);
  }
  if (traits.needs_free_parameter && theta_names(problem.kernel, problem.noise).empty()) {
    throw InputError("every parameter is held: there is nothing to train", Remedy::free_parameter_or_use_likelihood);
  }
}

TrainResult train(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  require_trainable(problem, options);
  if (options.time_limit > 0) return train_within_limit(problem, options, observer);
  return trainer_traits(options.trainer).train(problem, options, observer);
}

}  // namespace gpcv
