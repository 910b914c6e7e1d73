/// Batched conjugate gradients: every column has its own recurrence, and one product serves all columns.
#pragma once

#include <functional>
#include <span>

#include "gpcv/solver.hpp"
#include "operators/linear_system.hpp"

namespace gpcv {

/// The limits on the iterations of one solve. A limit stops a solve that is too hard; it is not a target. A solve that
/// ends there is reported with the residual it reached.
namespace iteration_limit {
/// The limit for an evaluation during training: if the systems at some θ need more iterations, the trainer takes a
/// smaller step instead. Preconditioned solves of trainings that converge take tens to some hundreds of iterations.
constexpr int training = 2000;
/// The limit for the weights of a result. They are solved once and more accurately than during training, possibly with
/// a preconditioner whose rank the memory has limited.
constexpr int result = 5000;
/// The limit for C x = b of one hold-out split, to any accuracy: n iterations suffice in exact arithmetic, and rounding
/// multiplies them.
constexpr int holdout(Index rows) { return static_cast<int>(10 * rows) + 1000; }
/// The limit for Σ x = b within an iteration of ADMM, whose next iteration continues from this x: twice the n of exact
/// arithmetic.
constexpr int admm(Index rows) { return static_cast<int>(rows < 50 ? 100 : 2 * rows); }
}  // namespace iteration_limit

struct CgOptions {
  double tolerance = 1e-6;    ///< ‖b − Ax‖ / ‖b‖ of every column
  int max_iterations = 1000;  ///< products with the batch
  bool natural_norm = false;  ///< measure r and b by √(rᵀMr), M the preconditioner: a better measure of the error
                              ///< if A is ill-conditioned and M ≈ A⁻¹
  double step_tolerance = 0;  ///< if positive, a column has converged once a step changes it by at most this norm
  bool verify = true;         ///< recompute the residual in double at the end, and continue if it is too large
  int threads = 1;            ///< threads of the host, for vectors that live there
  std::function<bool(int iteration, double worst_residual)> progress = {};  ///< returning false stops
};

/// The outcome of a solve. With `verify`, `residual` is recomputed instead of taken from the recurrence.
struct CgSummary {
  Status status = Status::not_run;
  int iterations = 0;
  double residual = 1;      ///< ‖b − Ax‖ / ‖b‖ of the worst column
  double fast_passes = 0;   ///< products in working precision
  double exact_passes = 0;  ///< products in double
  double columns = 0;       ///< columns multiplied, over all products
  double product_seconds = 0;
  bool returned_to_double = false;  ///< the working precision stagnated
  bool returned_to_host = false;    ///< the device of the products had no memory for the vectors
};

/// The relative residual of the solves for a result: 1e-6. From 400 000 rows on, where every digit costs minutes, it is
/// 1e-4: because ‖K (K + σ²I)⁻¹‖ ≤ 1, predictions change by at most 1e-4 of the target's standard deviation.
constexpr double final_residual(Index rows) { return rows < 400000 ? 1e-6 : 1e-4; }

/// Solves A_{system[c]} x_c = b_c. x holds the initial guess and receives the solution; columns that converge leave the
/// batch. In single working precision each round solves for a correction and the residual is recomputed in double;
/// after a round that stagnates the remaining iterations use double.
CgSummary solve_cg(const LinearSystem& a, const Preconditioner* preconditioner, ConstView b,
                   std::span<const int> system, View x, const CgOptions& options);

}  // namespace gpcv
