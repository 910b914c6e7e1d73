/// Values of R as those of C++, and back.
#pragma once

#include <cpp11.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv::r {

/// View of a numeric matrix of R without a copy.
using MatrixView = Eigen::Map<const Matrix>;
/// View of a numeric vector of R without a copy.
using VectorView = Eigen::Map<const Vector>;

/// Entry of a list by name; R's NULL when there is none.
SEXP entry(SEXP list, const char* name);

/// Text of a character vector of length 1, in UTF-8.
std::string text(SEXP value);
/// Texts of a character vector, in UTF-8; none of NULL.
std::vector<std::string> texts(SEXP value);
/// Number of a numeric vector of length 1.
double number(SEXP value);
/// Truth of a logical vector of length 1.
bool truth(SEXP value);
/// Numbers of a numeric vector; none of NULL.
std::vector<double> numbers(SEXP value);
/// Whole numbers of a numeric vector less `base`, which is 1 for positions of R.
std::vector<Index> indices(SEXP value, Index base);
/// View of a vector of doubles; it is valid as long as the vector is.
VectorView vector_view(SEXP value);
/// View of a matrix of doubles; it is valid as long as the matrix is.
MatrixView matrix_view(SEXP value);

cpp11::sexp to_r(SEXP value);
inline cpp11::sexp to_r(const cpp11::sexp& value) { return value; }
cpp11::sexp to_r(bool value);
cpp11::sexp to_r(int value);
cpp11::sexp to_r(double value);
cpp11::sexp to_r(Index value);
cpp11::sexp to_r(const char* value);
cpp11::sexp to_r(std::string_view value);
cpp11::sexp to_r(const std::string& value);
cpp11::sexp to_r(const std::vector<std::string>& values);
cpp11::sexp to_r(const std::vector<double>& values);
cpp11::sexp to_r(const std::vector<bool>& values);
cpp11::sexp to_r(const std::vector<cpp11::sexp>& values);
cpp11::sexp to_r(const Vector& values);
cpp11::sexp to_r(const Matrix& values);
/// Named numeric vector.
cpp11::sexp to_r(const std::vector<std::pair<std::string, double>>& values);
/// Named character vector.
cpp11::sexp to_r(const std::vector<std::pair<std::string, std::string>>& values);
/// Positions as R counts them, from 1; those below 0 are missing.
cpp11::sexp positions(const std::vector<Index>& values);

/// Named list that grows.
class Named {
 public:
  /// Adds an entry.
  template <class Value>
  Named& add(const char* name, const Value& value) {
    names_.emplace_back(name);
    values_.push_back(to_r(value));
    return *this;
  }
  /// List of the entries so far.
  cpp11::sexp list() const;

 private:
  std::vector<std::string> names_;
  std::vector<cpp11::sexp> values_;
};

/// Columns of a data frame, which R's side makes of them: one value of each row and name.
template <class Rows, class Value>
cpp11::sexp column(const Rows& rows, const Value& value) {
  std::vector<std::decay_t<decltype(value(*rows.begin()))>> values;
  for (const auto& row : rows) values.push_back(value(row));
  return to_r(values);
}

}  // namespace gpcv::r
