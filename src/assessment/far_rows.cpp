#include "gpcv/far_rows.hpp"

#include <algorithm>

#include "gpcv/effects.hpp"

namespace gpcv {
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

void FarRows::look_at(ConstView x, const std::function<Index(Index)>& table_row) {
  for (Index i = 0; i < x.rows(); ++i) {
    Index farthest = -1;
    for (Index j = 0; j < std::min<Index>(x.cols(), least_.size()); ++j) {
      const double range = most_(j) - least_(j), outside = std::max(least_(j) - x(i, j), x(i, j) - most_(j));
      if (range > 0 && outside > far * range) farthest = j;
    }
    if (farthest < 0) continue;
    if (count_++ == 0) first_input_ = names_[static_cast<std::size_t>(farthest)];
    if (first_rows_.size() < most_named) first_rows_.push_back(table_row(i));
  }
}

}  // namespace gpcv
