/// Options of a training and of a computation from named lists.
#pragma once

#include "gpcv/fit.hpp"
#include "lists.hpp"

namespace gpcv::r {

/// Options of the computation: threads, backend, precision, solver, rank, memory. Throws InputError for an unknown
/// name.
ComputeOptions compute_options(SEXP settings);

/// Options of a fit, without folds and callbacks. Throws InputError for an unknown name.
FitOptions fit_options(SEXP settings);

/// Names of all settings of a fit.
std::vector<std::string> setting_names();

}  // namespace gpcv::r
