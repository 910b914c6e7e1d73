#include "gpcv/fit_settings.hpp"

#include <fmt/format.h>

#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/named.hpp"
#include "gpcv/operator.hpp"

namespace gpcv {

ComputeOptions ComputeSettings::options() const {
  if (threads < 1) throw InputError(fmt::format("the number of threads cannot be {}", threads));
  if (rank.value_or(0) < 0) {
    throw InputError(fmt::format("rank cannot be {}: expected a whole number, at least 0", *rank));
  }
  ComputeOptions compute;
  compute.threads = threads;
  compute.backend = backend;
  compute.precision =
      choice_named(precision, {Precision::automatic, Precision::double_, Precision::mixed, Precision::single});
  compute.solver = choice_named(solver, {Solver::automatic, Solver::cg, Solver::cholesky});
  compute.rank = rank.value_or(compute.rank);
  if (memory && !memory->empty()) compute.memory = parse_memory(*memory);
  resolve_backend(compute.backend);
  return compute;
}

FitOptions FitSettings::options() const {
  if (time_limit && !(*time_limit > 0)) {
    throw InputError(fmt::format("time_limit cannot be {}: expected a positive number of seconds", *time_limit));
  }
  if (!(calibration >= 0 && calibration < 1)) {
    throw InputError(fmt::format("calibration cannot be {}: expected a number between 0 and 1", calibration));
  }
  FitOptions options;
  options.train.compute = compute.options();
  options.train.seed = seed;
  options.train.trainer = trainer.trainer;
  options.use_kernel(kernel);
  options.candidates = candidates;
  if (!candidates.empty() && !options.choose_kernel) {
    throw InputError("candidates restrict the choice of a kernel: use them with the kernel \"auto\" and gauss-newton");
  }
  options.assess = choice_named(assess, {Assess::automatic, Assess::nested, Assess::inner});
  if (noise && !noise->empty()) options.use_noise(*noise);
  options.mean = choice_named(mean, {Mean::zero, Mean::constant, Mean::linear});
  options.transform = TransformOptions::parse(transform);
  options.robust = robust;
  options.calibration = calibration;
  options.checkpoint = checkpoint.value_or("");
  options.resume = resume;
  TrainerSettings all = trainer;
  all.time_limit = time_limit.value_or(0);
  all.no_period_scan = !period_scan;
  all.apply(options);
  if (standardize) options.standardize = *standardize;
  return options;
}

}  // namespace gpcv
