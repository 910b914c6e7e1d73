/// Batched conjugate gradients: every column its own recurrence, all columns in one product.
#pragma once

#include <functional>
#include <span>

#include "gpcv/solver.hpp"
#include "operators/linear_system.hpp"

namespace gpcv {

/// The limits of the iterations of one solve. A limit ends a solve that is too hard, it is no target: what ends there
/// is reported with the residual it reached.
namespace iteration_limit {
/// An evaluation during training: a θ whose systems need more is not worth its time, and the trainer takes a smaller
/// step. Preconditioned solves of trainings that converge take tens to some hundreds.
constexpr int training = 2000;
/// The weights of a result, which are solved once and more accurately than those of a training, by a preconditioner
/// that the memory may have cut short.
constexpr int result = 5000;
/// C x = b of one hold-out split, to any accuracy: in exact arithmetic n iterations suffice, rounding multiplies them.
constexpr int holdout(Index rows) { return static_cast<int>(10 * rows) + 1000; }
/// Σ x = b within an iteration of ADMM, whose next iteration goes on from here: twice the n of exact arithmetic.
constexpr int admm(Index rows) { return static_cast<int>(rows < 50 ? 100 : 2 * rows); }
}  // namespace iteration_limit

struct CgOptions {
  double tolerance = 1e-6;    ///< ‖b − Ax‖ / ‖b‖ of every column
  int max_iterations = 1000;  ///< products with the batch
  bool natural_norm = false;  ///< measures r and b by √(rᵀMr) instead, M the preconditioner: the error that matters
                              ///< where A is badly conditioned and M ≈ A⁻¹
  double step_tolerance = 0;  ///< when positive, a column is done as soon as a step moves it by no more than this norm
  bool verify = true;         ///< recompute the residual in double at the end, and go on when it is not met
  int threads = 1;            ///< of the host, for vectors that live there
  std::function<bool(int iteration, double worst_residual)> progress = {};  ///< false stops
};

/// What a solve came to. `residual` is recomputed, not the recurrence's own, whenever verify was on.
struct CgSummary {
  Status status = Status::not_run;
  int iterations = 0;
  double residual = 1;      ///< the worst column's ‖b − Ax‖ / ‖b‖
  double fast_passes = 0;   ///< products in working precision
  double exact_passes = 0;  ///< products in double
  double columns = 0;       ///< multiplied, over all products
  double product_seconds = 0;
  bool returned_to_double = false;  ///< the working precision stagnated
  bool returned_to_host = false;    ///< the device that makes the products had no memory for the vectors
};

/// The relative residual that results are solved to: 1e-6. From 400 000 rows on, where every digit costs minutes, 1e-4:
/// because ‖K (K + σ²I)⁻¹‖ ≤ 1 that moves predictions by 1e-4 of the target's standard deviation at most.
constexpr double final_residual(Index rows) { return rows < 400000 ? 1e-6 : 1e-4; }

/// Solves A_{system[c]} x_c = b_c. x holds the start and receives the solution; columns that converge leave the batch.
/// In single working precision each round solves for a correction, the residual is recomputed in double, and when a
/// round gains too little the rest is done in double.
CgSummary solve_cg(const LinearSystem& a, const Preconditioner* preconditioner, ConstView b,
                   std::span<const int> system, View x, const CgOptions& options);

}  // namespace gpcv
