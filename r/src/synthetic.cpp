/// Draws from a known Gaussian process.
#include "gpcv/synthetic.hpp"

#include "caller.hpp"
#include "entries.hpp"
#include "gpcv/dataset.hpp"
#include "gpcv/machine.hpp"
#include "guard.hpp"

namespace gpcv::r {
namespace {

/// Inputs and target of list(n, dims, lower, upper, noise, even, seed, threads).
cpp11::sexp draw_rows(SEXP kernel, SEXP names, SEXP how) {
  SyntheticOptions options;
  options.n = static_cast<Index>(number(entry(how, "n")));
  options.dims = static_cast<Index>(number(entry(how, "dims")));
  options.lower = number(entry(how, "lower"));
  options.upper = number(entry(how, "upper"));
  options.noise = number(entry(how, "noise"));
  options.even = truth(entry(how, "even"));
  options.seed = static_cast<std::uint64_t>(number(entry(how, "seed")));
  const SEXP threads = entry(how, "threads");
  options.threads = Rf_isNull(threads) ? available_threads() : static_cast<int>(number(threads));
  const Kernel drawn =
      Kernel::parse(text(kernel)).resolved({.features = texts(names), .feature_indices = {}, .target = ""});
  Synthetic data;
  Caller caller(Display::none, options.threads);
  caller.run([&] { data = draw(drawn, options); });
  return Named().add("x", data.x).add("y", data.y).list();
}

}  // namespace
}  // namespace gpcv::r

extern "C" SEXP gpcv_r_draw(SEXP kernel, SEXP names, SEXP how) {
  return gpcv::r::guarded([&] { return gpcv::r::draw_rows(kernel, names, how); });
}
