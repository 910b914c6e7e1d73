#include "lists.hpp"

#include <algorithm>
#include <cmath>

#include "gpcv/error.hpp"

namespace gpcv::r {

namespace {

/// Vector of R of this type and length.
cpp11::sexp allocated(SEXPTYPE type, std::size_t length) {
  return cpp11::safe[Rf_allocVector](type, static_cast<R_xlen_t>(length));
}
SEXP utf8(std::string_view text) {
  return cpp11::safe[Rf_mkCharLenCE](text.data(), static_cast<int>(text.size()), CE_UTF8);
}
void set_names(const cpp11::sexp& values, const std::vector<std::string>& names) {
  cpp11::safe[Rf_setAttrib](values, R_NamesSymbol, to_r(names));
}
std::string text_of(SEXP element) {
  return element == NA_STRING ? "NA" : std::string(cpp11::safe[Rf_translateCharUTF8](element));
}

}  // namespace

SEXP entry(SEXP list, const char* name) {
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    if (std::string_view(CHAR(STRING_ELT(names, i))) == name) return VECTOR_ELT(list, i);
  }
  return R_NilValue;
}

std::string text(SEXP value) {
  if (TYPEOF(value) != STRSXP || Rf_xlength(value) != 1) throw InputError("expected a text");
  return text_of(STRING_ELT(value, 0));
}
std::vector<std::string> texts(SEXP value) {
  if (Rf_isNull(value)) return {};
  if (TYPEOF(value) != STRSXP) throw InputError("expected texts");
  std::vector<std::string> out;
  for (R_xlen_t i = 0; i < Rf_xlength(value); ++i) out.push_back(text_of(STRING_ELT(value, i)));
  return out;
}
std::vector<double> numbers(SEXP value) {
  if (Rf_isNull(value)) return {};
  if (TYPEOF(value) == REALSXP) {
    const double* first = REAL(value);
    return {first, first + Rf_xlength(value)};
  }
  if (TYPEOF(value) != INTSXP && TYPEOF(value) != LGLSXP) throw InputError("expected numbers");
  const cpp11::sexp reals = cpp11::safe[Rf_coerceVector](value, REALSXP);
  return numbers(reals);
}
double number(SEXP value) {
  const std::vector<double> found = numbers(value);
  if (found.size() != 1) throw InputError("expected a number");
  return found.front();
}
bool truth(SEXP value) {
  if (TYPEOF(value) != LGLSXP || Rf_xlength(value) != 1 || LOGICAL(value)[0] == NA_LOGICAL) {
    throw InputError("expected TRUE or FALSE");
  }
  return LOGICAL(value)[0] != 0;
}
std::vector<Index> indices(SEXP value, Index base) {
  std::vector<Index> out;
  for (const double number : numbers(value)) out.push_back(static_cast<Index>(number) - base);
  return out;
}
VectorView vector_view(SEXP value) {
  if (TYPEOF(value) != REALSXP) throw InputError("expected a vector of doubles");
  return {REAL(value), static_cast<Index>(Rf_xlength(value))};
}
MatrixView matrix_view(SEXP value) {
  if (TYPEOF(value) != REALSXP || !Rf_isMatrix(value)) throw InputError("expected a matrix of doubles");
  return {REAL(value), static_cast<Index>(Rf_nrows(value)), static_cast<Index>(Rf_ncols(value))};
}

cpp11::sexp to_r(SEXP value) { return value; }
cpp11::sexp to_r(bool value) { return cpp11::safe[Rf_ScalarLogical](value ? 1 : 0); }
cpp11::sexp to_r(int value) { return cpp11::safe[Rf_ScalarInteger](value); }
cpp11::sexp to_r(double value) { return cpp11::safe[Rf_ScalarReal](value); }
cpp11::sexp to_r(Index value) { return to_r(static_cast<double>(value)); }
cpp11::sexp to_r(std::string_view value) { return cpp11::safe[Rf_ScalarString](utf8(value)); }
cpp11::sexp to_r(const char* value) { return to_r(std::string_view(value)); }
cpp11::sexp to_r(const std::string& value) { return to_r(std::string_view(value)); }

cpp11::sexp to_r(const std::vector<std::string>& values) {
  cpp11::sexp out = allocated(STRSXP, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) SET_STRING_ELT(out, static_cast<R_xlen_t>(i), utf8(values[i]));
  return out;
}
cpp11::sexp to_r(const std::vector<double>& values) {
  cpp11::sexp out = allocated(REALSXP, values.size());
  std::copy(values.begin(), values.end(), REAL(out));
  return out;
}
cpp11::sexp to_r(const std::vector<bool>& values) {
  cpp11::sexp out = allocated(LGLSXP, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) LOGICAL(out)[i] = values[i] ? 1 : 0;
  return out;
}
cpp11::sexp to_r(const std::vector<cpp11::sexp>& values) {
  cpp11::sexp out = allocated(VECSXP, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) SET_VECTOR_ELT(out, static_cast<R_xlen_t>(i), values[i]);
  return out;
}
cpp11::sexp to_r(const Vector& values) {
  cpp11::sexp out = allocated(REALSXP, static_cast<std::size_t>(values.size()));
  std::copy(values.data(), values.data() + values.size(), REAL(out));
  return out;
}
cpp11::sexp to_r(const Matrix& values) {
  cpp11::sexp out =
      cpp11::safe[Rf_allocMatrix](REALSXP, static_cast<int>(values.rows()), static_cast<int>(values.cols()));
  std::copy(values.data(), values.data() + values.size(), REAL(out));
  return out;
}
cpp11::sexp to_r(const std::vector<std::pair<std::string, double>>& values) {
  std::vector<std::string> names;
  std::vector<double> seconds;
  for (const auto& [name, value] : values) {
    names.push_back(name);
    seconds.push_back(value);
  }
  const cpp11::sexp out = to_r(seconds);
  set_names(out, names);
  return out;
}
cpp11::sexp to_r(const std::vector<std::pair<std::string, std::string>>& values) {
  std::vector<std::string> names, seconds;
  for (const auto& [name, value] : values) {
    names.push_back(name);
    seconds.push_back(value);
  }
  const cpp11::sexp out = to_r(seconds);
  set_names(out, names);
  return out;
}
cpp11::sexp positions(const std::vector<Index>& values) {
  cpp11::sexp out = allocated(INTSXP, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    INTEGER(out)[i] = values[i] < 0 ? NA_INTEGER : static_cast<int>(values[i]) + 1;
  }
  return out;
}

cpp11::sexp Named::list() const {
  const cpp11::sexp out = to_r(values_);
  set_names(out, names_);
  return out;
}

}  // namespace gpcv::r
