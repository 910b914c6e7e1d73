/// Options of a training from keyword arguments.
#pragma once

#include <nanobind/nanobind.h>

#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv::python {

/// Number of threads where the user gives none: the cores that this process may use, fewer where OMP_NUM_THREADS, which
/// joblib sets for its workers, or threadpoolctl in the calling thread asks for fewer.
int default_threads();

/// Options of the computation: threads, backend, precision, solver, rank, memory.
ComputeOptions compute_options(const nanobind::dict& settings);

/// Options of a fit, without folds and callbacks. Throws InputError for an unknown name.
FitOptions fit_options(const nanobind::dict& settings);

}  // namespace gpcv::python
