#include "prediction/signal.hpp"

#include <cmath>

#include "core/mean_with_error.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

bool beats_mean(const Model& model) {
  const HeldOut& held = model.provenance.held_out;
  if (held.empty()) return true;
  const Vector y = training_targets(model);
  const Vector of_mean = (y.array() - y.mean()).square();
  const MeanWithError gain = mean_with_error(of_mean - Vector((y - held.mean).array().square()));
  if (!(gain.mean <= 2 * gain.error)) return true;
  // Where a few rows have most of the variance the standard error is large, however good the predictions are. Then half
  // of the error counts, and how many rows are nearer to their prediction: of n rows, n/2 by chance, ± √n/2.
  constexpr double clearly_better = 0.5, deviations = 3;
  const Vector nearer = (of_mean - Vector((y - held.mean).array().square())).unaryExpr([](double g) {
    return std::isfinite(g) ? (g > 0 ? 0.5 : -0.5) : g;
  });
  const MeanWithError share = mean_with_error(nearer);
  const double rows = static_cast<double>((nearer.array() == nearer.array()).count());
  return gain.mean > clearly_better * of_mean.mean() || share.mean > deviations * 0.5 / std::sqrt(rows);
}

}  // namespace gpcv
