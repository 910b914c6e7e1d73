/// Minimisation of a smooth function in a box by the L-BFGS of NLopt, with a verified convergence status.
#pragma once

#include <functional>

#include "gpcv/solver.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

struct MinimizeOptions {
  int max_evaluations = 200;
  double relative_tolerance = 1e-9;  ///< relative decrease of the objective
  double gradient_tolerance = 1e-6;  ///< largest component of the projected gradient over max(1, |objective|)
};

struct MinimizeResult {
  Status status = Status::not_run;
  Vector u;  ///< the best point evaluated
  double value = 0;
  double gradient_norm = 0;  ///< largest component of the projected gradient
  int evaluations = 0;
};

/// Function that returns f(u) and sets its gradient; a value that is not finite rejects the point.
using Objective = std::function<double(const Vector& u, Vector& gradient)>;
/// Callback for each evaluation; it returns false to stop the minimisation.
using Progress = std::function<bool(const Vector& u, double value, double gradient_norm)>;

/// Largest component of the projected gradient: of the coordinates whose bounds allow a descent.
double projected_norm(const Vector& u, const Vector& gradient, const Vector& lower, const Vector& upper);

MinimizeResult minimize(const Objective& objective, const Vector& start, const Vector& lower, const Vector& upper,
                        const MinimizeOptions& options, const Progress& progress = {});

}  // namespace gpcv
