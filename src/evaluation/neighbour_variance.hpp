/// Predictive variances from the nearest training points.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/variance_estimator.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/compute.hpp"
#include "operators/neighbour_solver.hpp"

namespace gpcv {

/// Conditions each test point on the `neighbours` training points that alone explain most of it, those of largest
/// k(x*, x_i)²/(k_ii + σ²). The variance is never below the exact one, because it uses less data.
class NeighbourVariance final : public VarianceEstimator {
 public:
  /// X outlives it.   x: n × d, standardised
  NeighbourVariance(KernelProgram program, const Matrix& x, double noise, Index neighbours,
                    const ComputeOptions& compute);

  Vector variance(ConstView points) const override;
  Index rows_at_once(Index training_rows) const override;

 private:
  Vector own_variance(ConstView points) const;
  std::vector<Index> best_neighbours(const Eigen::Ref<const Vector>& cross) const;
  double explained_by(const std::vector<Index>& s, const Vector& k) const;

  KernelProgram program_;
  const Matrix& x_;
  double noise_;
  Vector scale_;  ///< 1/(k_ii + σ²)
  Index neighbours_;
  int threads_;
  std::shared_ptr<const Communicator> communicator_;
  std::unique_ptr<NeighbourSolver> device_;  ///< null where the host computes
};

}  // namespace gpcv
