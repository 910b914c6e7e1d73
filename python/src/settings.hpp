/// Keyword arguments as the options of a training.
#pragma once

#include <nanobind/nanobind.h>

#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv::python {

/// threads, backend, precision, solver, rank, memory
ComputeOptions compute_options(const nanobind::dict& settings);

/// Everything of FitOptions but folds and what is called back. Throws InputError for a name it does not know.
FitOptions fit_options(const nanobind::dict& settings);

}  // namespace gpcv::python
