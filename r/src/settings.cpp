#include "settings.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

#include "gpcv/error.hpp"
#include "gpcv/fit_settings.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/named.hpp"

namespace gpcv::r {
namespace {

bool is_number(SEXP value) {
  return (TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP) && Rf_xlength(value) == 1 &&
         !Rf_inherits(value, "factor");
}
bool is_text(SEXP value) {
  return TYPEOF(value) == STRSXP && Rf_xlength(value) == 1 && STRING_ELT(value, 0) != NA_STRING;
}

/// Value in words, for messages.
std::string shown(SEXP value) {
  if (is_text(value)) return "'" + text(value) + "'";
  if (TYPEOF(value) == LGLSXP && Rf_xlength(value) == 1) {
    return LOGICAL(value)[0] == NA_LOGICAL ? "NA" : LOGICAL(value)[0] != 0 ? "TRUE" : "FALSE";
  }
  if (is_number(value)) {
    const double number = gpcv::r::number(value);
    if (std::isnan(number)) return "NA";
    std::string out = std::to_string(number);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
    return out;
  }
  return "a " + std::string(Rf_type2char(TYPEOF(value))) + " of length " + std::to_string(Rf_xlength(value));
}

bool convert(SEXP value, double& out) {
  if (!is_number(value)) return false;
  out = number(value);
  return !std::isnan(out);
}
template <class Whole>
requires std::is_integral_v<Whole>
bool convert(SEXP value, Whole& out) {
  double found = 0;
  constexpr double most = std::is_same_v<Whole, int> ? std::numeric_limits<int>::max() : 9007199254740992.0;
  if (!convert(value, found) || found != std::floor(found) || std::abs(found) > most) return false;
  if (std::is_unsigned_v<Whole> && found < 0) return false;
  out = static_cast<Whole>(found);
  return true;
}
bool convert(SEXP value, bool& out) {
  if (TYPEOF(value) != LGLSXP || Rf_xlength(value) != 1 || LOGICAL(value)[0] == NA_LOGICAL) return false;
  out = LOGICAL(value)[0] != 0;
  return true;
}
bool convert(SEXP value, std::string& out) {
  if (!is_text(value)) return false;
  out = text(value);
  return true;
}
bool convert(SEXP value, std::vector<std::string>& out) {
  if (TYPEOF(value) != STRSXP) return false;
  out = texts(value);
  return true;
}
bool convert(SEXP value, std::vector<double>& out) {
  if (TYPEOF(value) != REALSXP && TYPEOF(value) != INTSXP) return false;
  out = numbers(value);
  return true;
}
template <class Value>
bool convert(SEXP value, std::optional<Value>& out) {
  Value found{};
  if (!convert(value, found)) return false;
  out = std::move(found);
  return true;
}

const char* kind_of(double) { return "a number"; }
const char* kind_of(bool) { return "TRUE or FALSE"; }
const char* kind_of(int) { return "a whole number"; }
const char* kind_of(std::uint64_t) { return "a whole number, at least 0"; }
const char* kind_of(const std::string&) { return "a text"; }
const char* kind_of(const std::vector<std::string>&) { return "texts"; }
const char* kind_of(const std::vector<double>&) { return "numbers"; }
template <class Value>
const char* kind_of(const std::optional<Value>&) {
  return kind_of(Value{});
}

/// Reader of settings that are present and not NULL. It records the names it was asked for.
class Reader {
 public:
  explicit Reader(SEXP settings) : settings_(settings) {}

  template <class Value>
  void read(const char* name, Value& value) {
    known_.insert(name);
    const SEXP given = entry(settings_, name);
    if (Rf_isNull(given) || convert(given, value)) return;
    throw InputError(std::string(name) + " cannot be " + shown(given) + ": expected " + kind_of(value));
  }
  void finish() const {
    const std::vector<std::string> known(known_.begin(), known_.end());
    for (const std::string& name : texts(Rf_getAttrib(settings_, R_NamesSymbol))) {
      if (known_.contains(name)) continue;
      const std::string near = similar_name(known, name);
      throw InputError("there is no option '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
  }

 private:
  SEXP settings_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace

ComputeOptions compute_options(SEXP settings) {
  ComputeSettings wanted;
  wanted.threads = available_threads();
  Reader reader(settings);
  ComputeSettings::visit_fields(wanted, [&](const char* name, auto& field) { reader.read(name, field); });
  reader.finish();
  return wanted.options();
}

FitOptions fit_options(SEXP settings) {
  FitSettings wanted;
  wanted.compute.threads = available_threads();
  Reader reader(settings);
  FitSettings::visit_fields(wanted, [&](const char* name, auto& field) { reader.read(name, field); });
  // A field of FitOptions alone: a new one of FitSettings would change the binary interface.
  bool every_variance = false;
  reader.read("every_held_out_variance", every_variance);
  reader.finish();
  FitOptions options = wanted.options();
  options.every_held_out_variance = every_variance;
  return options;
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  FitSettings settings;
  FitSettings::visit_fields(settings, [&](const char* name, auto&) { names.emplace_back(name); });
  return names;
}

}  // namespace gpcv::r
