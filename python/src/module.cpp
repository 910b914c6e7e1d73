/// Module gpcv._core: the bindings of the library. The package around it is python/gpcv.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "bindings.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/iso_date.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/named.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/trainer_settings.hpp"
#include "gpcv/version.hpp"
#include "remedies.hpp"
#include "settings.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace gpcv;
  // Translators that are registered later are tried first.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      PyErr_SetString(PyExc_ValueError, python::in_words(error).c_str());
    } catch (const Interrupted& error) {
      PyErr_SetString(PyExc_KeyboardInterrupt, python::in_words(error).c_str());
    } catch (const Error& error) {
      PyErr_SetString(PyExc_RuntimeError, python::in_words(error).c_str());
    }
  });
  python::bind_kernel(module);
  python::bind_model(module);
  python::bind_posterior(module);
  python::bind_fit(module);
  python::bind_assessment(module);
  python::bind_synthetic(module);
  module.def("version", [] { return std::string(version()); });
  module.def("trainers", &trainer_names);
  module.def("candidate_names", &candidate_names);
  module.def("admm_settings", &admm_setting_names);
  module.def("uses_folds", [](const std::string& trainer) { return uses_folds(trainer); });
  module.def("takes_one_fold", [](const std::string& trainer) { return trainer_info(trainer).one_fold; });
  // The decimal year of an ISO date, NaN where the calendar has no such date; None for another text.
  module.def("parse_iso_date", [](const std::string& text) -> nb::object {
    const std::optional<IsoDate> date = parse_iso_date(text);
    if (!date) return nb::none();
    return nb::float_(date->valid ? date->decimal_year : std::numeric_limits<double>::quiet_NaN());
  });
  module.def("similar_name", &similar_name);
  module.def("backends", &compiled_backends);
  module.def("default_threads", &python::default_threads);
  module.def("build_info", &build_info);
  module.def("blas_name", &blas_name);
}
