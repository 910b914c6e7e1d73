/// Start values from the local score, which sees the density of all rows at a cost that hardly grows with their number.
#pragma once

#include <functional>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// The negative log density of rows that are each conditioned on their neighbours, in the mean, and its gradient.
struct LocalScore {
  double value = 0;
  Vector gradient;  ///< with respect to log θ
};

/// A sample of held-out rows, each with its nearest rows among those that its fold trains on: the rows x_S of largest
/// k(x*, x_i)²/k(x_i, x_i) at log θ. local_rows() asks `stop` in between, and throws Interrupted where it says yes.
struct LocalRows {
  std::vector<Index> rows;
  std::vector<std::vector<Index>> neighbours;
};
LocalRows local_rows(const Problem& problem, const Vector& log_theta, Index count, Index neighbours, std::uint64_t seed,
                     int threads, const std::function<bool()>& stop = {});

/// −log N(y*; m, v) of the sample, with m = kᵀC⁻¹y_S, v = k(x*, x*) + σ² − kᵀC⁻¹k and C = K_SS + σ²I.
LocalScore local_score(const Problem& problem, const Vector& log_theta, const LocalRows& sample, int threads);

/// Residuals of the sample's rows and the variances of their predictions; NaN where there is none.
struct LocalErrors {
  Vector residuals, variances;
};
LocalErrors local_errors(const Problem& problem, const Vector& log_theta, const LocalRows& sample, int threads);

/// Mean squared error of a sample of rows at log θ, each predicted from its neighbours.
double local_squares(const Problem& problem, const Vector& log_theta, const TrainOptions& options);

/// log θ of smallest local score that is reached from one of the starts. Neighbours are chosen anew as θ moves. A
/// stop leaves the best so far.
Vector local_start(const Problem& problem, const std::vector<Vector>& starts, const TrainOptions& options);

}  // namespace gpcv
