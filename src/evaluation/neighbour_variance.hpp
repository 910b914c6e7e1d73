/// Predictive variances from the nearest training points.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "evaluation/neighbour_search.hpp"
#include "evaluation/row_cells.hpp"
#include "evaluation/variance_estimator.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/compute.hpp"
#include "operators/neighbour_solver.hpp"

namespace gpcv {

/// Number of neighbours up to which each point has its own on a device, which factorises 1024 for each of 4000 points
/// in 0.3 s.
constexpr Index most_own_neighbours = 1024;

/// Number of neighbours up to which each point has its own; on a device any number. On processors 256 of each of
/// 41 000 points take 2·10¹¹ multiply-adds, 1024 take 1.5·10¹³.
Index own_neighbours(const ComputeOptions& compute, Index training_rows);

/// Training rows of a cell whose points share so many neighbours. With 1/32 of the neighbours a factorisation costs
/// 10 k² multiply-adds per training row, however many points there are.
constexpr Index rows_per_cell(Index neighbours) { return std::max<Index>(1, neighbours / 32); }

/// Conditions each test point on `neighbours` training points: up to own_neighbours() those that alone explain most of
/// it, of largest k(x*, x_i)²/(k_ii + σ²); more are those of largest sum for training rows of the cell in which the
/// point lies, and are factorised once for all points of the cell. The variance is never below the exact one, because
/// it uses less data, and it does not depend on other test points.
class NeighbourVariance final : public VarianceEstimator {
 public:
  /// X outlives it.   x: n × d, standardised
  NeighbourVariance(KernelProgram program, const Matrix& x, double noise, Index neighbours,
                    const ComputeOptions& compute);
  NeighbourVariance(const NeighbourVariance&) = delete;
  NeighbourVariance& operator=(const NeighbourVariance&) = delete;

  Vector variance(ConstView points) const override;
  Index rows_at_once(Index training_rows) const override;
  /// The cells of points; null where each point has its own neighbours.
  const RowCells* cells() const { return cells_ ? &*cells_ : nullptr; }

 private:
  Vector variance_of_rows(ConstView points) const;
  Vector explained_by_cells(ConstView points) const;
  double explained_by(const std::vector<Index>& s, const Vector& k) const;
  Vector explained_in_cell(Index cell, const Matrix& points) const;

  KernelProgram program_;
  const Matrix& x_;
  double noise_;
  Index neighbours_;
  int threads_;
  std::shared_ptr<const Communicator> communicator_;
  std::function<bool()> stop_;
  NeighbourSearch search_;
  std::optional<RowCells> cells_;
  std::unique_ptr<NeighbourSolver> device_;  ///< null where the host computes
};

}  // namespace gpcv
