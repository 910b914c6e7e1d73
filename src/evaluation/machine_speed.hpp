/// The speed of this machine as it is now, in units of the cost model.
#pragma once

#include "gpcv/compute.hpp"
#include "gpcv/trainer.hpp"
#include "planning/cost_model.hpp"

namespace gpcv {

/// Real seconds of a second of the cost model: of factorisations, and of kernel products with the problem's kernel.
struct Slowness {
  double factorisations = 1, products = 1;

  /// The larger of this and another measurement.
  Slowness at_least(const Slowness& other) const;
};

/// Slowness of products as a training has shown it; 0 where it took too few to tell.
Slowness shown_slowness(const Problem& problem, const ComputeOptions& compute, const Work& work);

/// Real seconds to construct a preconditioner and to solve one system of all rows with it.
double solve_seconds(const CostModel& cost, const Slowness& slowness, const Preconditioning& size, Accuracy accuracy);

/// A way to solve one system of all rows by conjugate gradients, and the real seconds that it takes.
struct CheapSolve {
  Preconditioning size;
  double seconds = 0;
};
/// The preconditioner, of those with at most `most` columns, with which construction and solve together take least.
CheapSolve cheapest_solve(const CostModel& cost, const Slowness& slowness, Accuracy accuracy, Index most);

/// Slowness as a few short computations with rows of the problem show it, in some 50 ms.
Slowness measured_slowness(const Problem& problem, const ComputeOptions& compute);

}  // namespace gpcv
