#include "assessment/calibration.hpp"

#include "evaluation/conditioning.hpp"
#include "evaluation/held_out_variance.hpp"
#include "evaluation/neighbour_choice.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "problem/parameters.hpp"

namespace gpcv {
namespace {

/// Number of held-out rows for an estimator that works point by point; the standard error of their mean of r²/v is
/// about 10 %.
constexpr Index sampled_rows = 200;

}  // namespace

HeldOutVariance held_out_variance(FoldPredictions* evaluator, const Problem& problem, const ComputeOptions& compute,
                                  bool every_row) {
  VarianceMethod method{.kind = VarianceMethod::Kind::neighbours};
  if (problem.x.rows() <= exact_variance_rows && factor_fits(problem.x.rows(), problem.x.cols(), compute)) {
    method.kind = VarianceMethod::Kind::exact;
  }
  if (method.kind == VarianceMethod::Kind::neighbours) {
    try {
      method.neighbours =
          chosen_neighbours(problem.kernel.lower(), problem.x, problem.noise.variance, false, compute).neighbours;
    } catch (const NumericalError&) {
      return {};
    }
  }
  const Index sample = every_row ? problem.folds.validated() * problem.folds.size() : sampled_rows;
  try {
    return {method.to_string(), evaluator != nullptr
                                    ? evaluator->variances(method, sample)
                                    : held_out_variance_at(problem, log_values(problem), method, sample, compute)};
  } catch (const NumericalError&) {
    return {};  // a matrix that cannot be factorised gives no variances
  }
}

}  // namespace gpcv
