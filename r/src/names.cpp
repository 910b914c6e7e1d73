/// Dates as decimal years, similar names, and what this build is.
#include <cmath>
#include <limits>

#include "entries.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/iso_date.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/named.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/targets.hpp"
#include "gpcv/trainer_settings.hpp"
#include "gpcv/version.hpp"
#include "guard.hpp"
#include "settings.hpp"

namespace gpcv::r {
namespace {

/// Decimal years of moments, given as numbers since 1970 of which a day has so many; missing ones stay missing.
cpp11::sexp years(SEXP numbers, SEXP per_day) {
  const VectorView moments = vector_view(numbers);
  const double length = number(per_day);
  Vector out(moments.size());
  for (Index i = 0; i < out.size(); ++i) {
    const double day = std::floor(moments(i) / length);
    const bool known = std::abs(day) < 1e6;  // some millennia
    out(i) =
        known ? decimal_year(static_cast<std::int64_t>(day), (moments(i) - day * length) * 86400 / length) : NA_REAL;
  }
  return to_r(out);
}

/// Decimal years of texts: NaN where the calendar has no such date, infinite where a text is no date at all.
cpp11::sexp iso_dates(SEXP texts) {
  Vector out(Rf_xlength(texts));
  for (Index i = 0; i < out.size(); ++i) {
    const SEXP element = STRING_ELT(texts, i);
    out(i) = NA_REAL;
    if (element == NA_STRING) continue;
    const std::optional<IsoDate> date = parse_iso_date(CHAR(element));
    out(i) = !date         ? std::numeric_limits<double>::infinity()
             : date->valid ? date->decimal_year
                           : std::numeric_limits<double>::quiet_NaN();
  }
  return to_r(out);
}

/// Files of several targets: that of each, made of one name.
cpp11::sexp paths_of_targets(SEXP path, SEXP names) {
  const std::vector<std::string> targets = texts(names);
  std::vector<std::string> out;
  for (std::size_t t = 0; t < targets.size(); ++t) out.push_back(path_of_target(text(path), targets, t).string());
  return to_r(out);
}

cpp11::sexp build() {
  return Named()
      .add("version", version())
      .add("info", build_info())
      .add("blas", blas_name())
      .add("threads", available_threads())
      .add("trainers", trainer_names())
      .add("candidates", candidate_names())
      .add("backends", compiled_backends())
      .add("admm", admm_setting_names())
      .add("settings", setting_names())
      .list();
}

}  // namespace
}  // namespace gpcv::r

using namespace gpcv::r;

extern "C" {
SEXP gpcv_r_years(SEXP numbers, SEXP per_day) {
  return guarded([&] { return years(numbers, per_day); });
}
SEXP gpcv_r_iso_dates(SEXP texts) {
  return guarded([&] { return iso_dates(texts); });
}
SEXP gpcv_r_similar(SEXP names, SEXP wanted) {
  return guarded([&] { return to_r(gpcv::similar_name(texts(names), text(wanted))); });
}
SEXP gpcv_r_path_of_target(SEXP path, SEXP names) {
  return guarded([&] { return paths_of_targets(path, names); });
}
SEXP gpcv_r_build(void) { return guarded(build); }
}
