#include "far_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "console/printable.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::command {
namespace {

/// Part of the range of a training input beyond which a row is far outside.
constexpr double far = 0.5;
/// Number of rows that are named.
constexpr std::size_t most_named = 5;

}  // namespace

void FarRows::compare_with(const Model& model) {
  if (names_.empty()) names_ = model.columns.features;
  const Matrix x = training_inputs(model);
  if (x.rows() == 0) return;
  const Vector low = x.colwise().minCoeff().transpose(), high = x.colwise().maxCoeff().transpose();
  const bool first = least_.size() == 0;
  least_ = first ? low : Vector(least_.cwiseMin(low));
  most_ = first ? high : Vector(most_.cwiseMax(high));
}

void FarRows::look_at(const Matrix& x, const std::function<Index(Index)>& table_row) {
  for (Index i = 0; i < x.rows(); ++i) {
    Index farthest = -1;
    for (Index j = 0; j < std::min<Index>(x.cols(), least_.size()); ++j) {
      const double range = most_(j) - least_(j), outside = std::max(least_(j) - x(i, j), x(i, j) - most_(j));
      if (range > 0 && outside > far * range) farthest = j;
    }
    if (farthest < 0) continue;
    if (count_++ == 0) first_input_ = farthest;
    if (first_rows_.size() < most_named) first_rows_.push_back(table_row(i) + 1);
  }
}

void FarRows::look_at(const Dataset& data) {
  look_at(data.x, [&](Index i) { return data.reading.table_row(i); });
}

std::string FarRows::text() const {
  if (count_ == 0) return "";
  return fmt::format(
      "{} row{} far outside the training rows, the first one in '{}': row{} {}{}, counted from 1; the prediction there "
      "rests on the kernel alone",
      grouped(count_), count_ == 1 ? " lies" : "s lie", printable(names_[static_cast<std::size_t>(first_input_)]),
      count_ == 1 ? "" : "s", fmt::join(first_rows_, ", "),
      count_ > static_cast<Index>(first_rows_.size()) ? " and others" : "");
}

void FarRows::report() const {
  if (const std::string warning = text(); !warning.empty()) fmt::print(stderr, "gpcv: {}\n", warning);
}

}  // namespace gpcv::command
