#include "prediction/signal.hpp"

#include <cmath>

#include "core/mean_with_error.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

bool beats_mean(const Model& model) {
  if (model.provenance.held_out.empty()) return true;
  const Prediction held = held_out_prediction(model);
  const Vector y = model.provenance.trust.trusted(training_targets(model));
  const Vector of_mean = (y.array() - trusted_targets(model).mean()).square(),
               gains = of_mean.array() - (y - held.mean).array().square();
  const MeanWithError gain = mean_with_error(gains);
  if (!(gain.mean <= 2 * gain.error)) return true;
  // Where a few rows have most of the variance the standard error is large, however good the predictions are. Then half
  // of the error counts, and how many rows are nearer to their prediction: of n rows, n/2 by chance, ± √n/2.
  constexpr double clearly_better = 0.5, deviations = 3;
  const auto nearer = static_cast<double>((gains.array() > 0).count());
  const auto rows = static_cast<double>(gains.array().isFinite().count());
  return gain.mean > clearly_better * mean_with_error(of_mean).mean ||
         nearer > 0.5 * (rows + deviations * std::sqrt(rows));
}

}  // namespace gpcv
