/// Functions that add the parts of the module.
#pragma once

#include <nanobind/nanobind.h>

namespace gpcv::python {

void bind_kernel(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_posterior(nanobind::module_& module);
void bind_fit(nanobind::module_& module);
void bind_assessment(nanobind::module_& module);
void bind_synthetic(nanobind::module_& module);

}  // namespace gpcv::python
