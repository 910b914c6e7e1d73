/// Registration of the functions that R calls.
#include <R_ext/Rdynload.h>

#include "entries.hpp"
#include "handle.hpp"

namespace {

#define ENTRY(name, arguments) \
  { #name, reinterpret_cast < DL_FUNC>(&gpcv_r_##name), arguments }

const R_CallMethodDef entries[] = {ENTRY(fit, 7),
                                   ENTRY(describe, 1),
                                   ENTRY(held_out, 2),
                                   ENTRY(training, 1),
                                   ENTRY(findings, 1),
                                   ENTRY(verdict, 2),
                                   ENTRY(diagnostics, 4),
                                   ENTRY(report, 5),
                                   ENTRY(load, 1),
                                   ENTRY(save, 2),
                                   ENTRY(predict, 4),
                                   ENTRY(components, 4),
                                   ENTRY(sample, 4),
                                   ENTRY(factors, 3),
                                   ENTRY(far_rows, 2),
                                   ENTRY(require_variance, 1),
                                   ENTRY(years, 2),
                                   ENTRY(iso_dates, 1),
                                   ENTRY(similar, 2),
                                   ENTRY(build, 0),
                                   ENTRY(check, 6),
                                   ENTRY(evaluate, 5),
                                   ENTRY(ranked, 3),
                                   ENTRY(covariance, 4),
                                   ENTRY(path_of_target, 2),
                                   ENTRY(draw, 3),
                                   {nullptr, nullptr, 0}};

}  // namespace

extern "C" void R_init_gpcv(DllInfo* library) {
  R_registerRoutines(library, nullptr, entries, nullptr, nullptr);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
  gpcv::r::define_handles(library);
}
