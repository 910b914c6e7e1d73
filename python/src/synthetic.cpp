/// Draws from a known Gaussian process.
#include "gpcv/synthetic.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "caller.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv::python {
namespace {

nb::tuple draw_rows(const std::string& text, Index n, Index dims, double lower, double upper, double noise, bool even,
                    std::uint64_t seed, int threads) {
  std::vector<std::string> names;
  for (Index c = 0; c < dims; ++c) names.push_back(dims == 1 ? "x" : fmt::format("x{}", c));
  const Kernel kernel = Kernel::parse(text).resolved({.features = names, .feature_indices = {}, .target = ""});
  Synthetic data;
  Caller caller;
  caller.run([&] {
    data = draw(kernel, {.n = n,
                         .dims = dims,
                         .lower = lower,
                         .upper = upper,
                         .noise = noise,
                         .even = even,
                         .seed = seed,
                         .threads = threads});
  });
  return nb::make_tuple(to_numpy(std::move(data.x)), to_numpy(std::move(data.y)));
}

}  // namespace

void bind_synthetic(nb::module_& module) {
  module.def("draw", &draw_rows, nb::arg("kernel"), nb::arg("n"), nb::arg("dims"), nb::arg("lower"), nb::arg("upper"),
             nb::arg("noise"), nb::arg("even"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace gpcv::python
