/// Trainers by name, and what all of them require.
#include <fmt/format.h>

#include <cmath>

#include "gpcv/error.hpp"
#include "gpcv/trainer.hpp"
#include "trainers/likelihood.hpp"

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

}  // namespace

std::vector<std::string> trainer_names() { return {"likelihood"}; }

TrainResult train(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  require_valid(problem);
  if (options.trainer == "likelihood") return train_likelihood(problem, options, observer);
  throw InputError(
      fmt::format("unknown trainer '{}'; there is: {}", options.trainer, fmt::join(trainer_names(), ", ")));
}

}  // namespace gpcv
