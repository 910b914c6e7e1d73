/// Conversion from and to NumPy arrays, without a copy where the layout permits it.
#pragma once

#include <fmt/format.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <memory>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/types.hpp"

namespace gpcv::python {

namespace nb = nanobind;

using Array1 = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Array2 = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using IndexArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>;
using NumPy = nb::ndarray<nb::numpy, double>;

/// View of an array with any strides, without a copy.
inline auto view(const Array1& a) {
  return Eigen::Map<const Vector, 0, Eigen::InnerStride<>>(a.data(), static_cast<Index>(a.shape(0)),
                                                           Eigen::InnerStride<>(a.stride(0)));
}
inline auto view(const Array2& a) {
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  return Eigen::Map<const Matrix, 0, Strides>(a.data(), static_cast<Index>(a.shape(0)), static_cast<Index>(a.shape(1)),
                                              Strides(a.stride(1), a.stride(0)));
}

/// Array that takes ownership of the numbers.
inline NumPy to_numpy(Vector values) {
  auto* kept = new Vector(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Vector*>(p); });
  return {kept->data(), {static_cast<std::size_t>(kept->size())}, owner};
}
inline NumPy to_numpy(Matrix values) {
  auto* kept = new Matrix(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  const auto rows = static_cast<std::size_t>(kept->rows());
  return {kept->data(), {rows, static_cast<std::size_t>(kept->cols())}, owner, {1, static_cast<std::int64_t>(rows)}};
}

/// Indices of rows.
inline std::vector<Index> to_indices(const IndexArray& a) {
  std::vector<Index> out(a.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<Index>(a.data()[static_cast<std::int64_t>(i) * a.stride(0)]);
  return out;
}

/// Values that must be positive and finite, one per row.
inline Vector per_row(const Array1& values, Index rows, const char* what) {
  if (static_cast<Index>(values.shape(0)) != rows) {
    throw InputError(fmt::format("{} must have one value per row: {} rows, {} values", what, rows, values.shape(0)));
  }
  const Vector out = view(values);
  for (Index i = 0; i < rows; ++i) {
    if (out(i) > 0 && std::isfinite(out(i))) continue;
    throw InputError(fmt::format("{} must be positive and finite, but row {} (from 0) has {}", what, i, out(i)));
  }
  return out;
}

}  // namespace gpcv::python
