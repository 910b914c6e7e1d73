/// Covariance functions as objects.
#include "gpcv/kernel.hpp"

#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"

namespace gpcv::python {

namespace nb = nanobind;

namespace {

std::string_view name_of(Role role) {
  switch (role) {
    case Role::variance:
      return "variance";
    case Role::length_scale:
      return "length scale";
    case Role::period:
      return "period";
    case Role::shape:
      return "shape";
  }
  return "unknown";
}

nb::dict described(const Parameter& p) {
  nb::dict out;
  out["value"] = p.value;
  out["role"] = std::string(name_of(p.role));
  out["fixed"] = p.fixed;
  out["bounds"] = p.bounds ? nb::object(nb::make_tuple(p.bounds->lower, p.bounds->upper)) : nb::object(nb::none());
  return out;
}

}  // namespace

void bind_kernel(nb::module_& module) {
  nb::class_<Kernel>(module, "Kernel",
                     "A covariance function: immutable, made from text or from the functions of this package, joined "
                     "by + and *.")
      .def(
          "__init__", [](Kernel* self, const std::string& text) { new (self) Kernel(Kernel::parse(text)); },
          nb::arg("text"), "Parse the text form, for example 'se(ard) + linear'.")
      .def(nb::self + nb::self)
      .def(nb::self * nb::self)
      .def(
          "__add__", [](const Kernel& a, const std::string& b) { return a + Kernel::parse(b); }, nb::is_operator())
      .def(
          "__radd__", [](const Kernel& b, const std::string& a) { return Kernel::parse(a) + b; }, nb::is_operator())
      .def(
          "__mul__", [](const Kernel& a, const std::string& b) { return a * Kernel::parse(b); }, nb::is_operator())
      .def(
          "__rmul__", [](const Kernel& b, const std::string& a) { return Kernel::parse(a) * b; }, nb::is_operator())
      .def(
          "__eq__", [](const Kernel& a, const Kernel& b) { return a == b; }, nb::is_operator())
      .def(
          "__eq__", [](const Kernel& a, const std::string& b) { return a == Kernel::parse(b); }, nb::is_operator())
      .def("__hash__", [](const Kernel& k) { return nb::hash(nb::cast(k.to_string())); })
      .def("__str__", [](const Kernel& k) { return k.to_string(); })
      .def("__repr__", [](const Kernel& k) { return fmt::format("gpcv.Kernel('{}')", k.to_string()); })
      .def("__getstate__", [](const Kernel& k) { return std::pair(k.to_string(), k.inputs()); })
      .def("__setstate__",
           [](Kernel& k, const std::pair<std::string, Index>& state) {
             const Kernel read = Kernel::parse(state.first);
             new (&k) Kernel(state.second > 0 ? read.bind(state.second) : read);
           })
      .def(
          "to_string", [](const Kernel& k, int digits) { return k.to_string(digits); }, nb::arg("digits") = 0,
          "Text form of the kernel; with digits > 0 the numbers are rounded.")
      .def(
          "bind", [](const Kernel& k, Index inputs) { return k.bind(inputs); }, nb::arg("n_features"),
          "Kernel bound to this number of features: `ard` becomes one length scale per feature.")
      .def("summands", &Kernel::summands, "Summands of the kernel, with products of sums multiplied out.")
      .def_prop_ro("n_features", &Kernel::inputs, "Number of features of a bound kernel; 0 for an unbound one.")
      .def_prop_ro(
          "parameters",
          [](const Kernel& k) {
            nb::dict out;
            for (const Parameter& p : k.parameters()) out[p.name.c_str()] = described(p);
            return out;
          },
          "All parameters by name: value, role, fixed, bounds.");
}

}  // namespace gpcv::python
