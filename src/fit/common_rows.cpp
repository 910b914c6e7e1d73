#include "fit/common_rows.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "fit/fit_plan.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

constexpr Index fewest_common_rows = 3;

/// The rows of each target that every target has: n × t.
Eigen::MatrixX<Index> places_of_common_rows(const std::vector<Dataset>& targets) {
  const auto count = static_cast<Index>(targets.size());
  std::map<Index, std::vector<Index>> places;  // by row of the table
  for (const Dataset& data : targets) {
    for (Index i = 0; i < data.rows(); ++i) places[data.reading.table_row(i)].push_back(i);
  }
  std::erase_if(places, [&](const auto& row) { return static_cast<Index>(row.second.size()) < count; });
  Eigen::MatrixX<Index> rows(static_cast<Index>(places.size()), count);
  Index at = 0;
  for (const auto& [table_row, own] : places) {
    rows.row(at++) = Eigen::Map<const Eigen::RowVectorX<Index>>(own.data(), count);
  }
  return rows;
}

std::vector<Index> listed(const Eigen::MatrixX<Index>& rows, Index target) {
  return {rows.col(target).begin(), rows.col(target).end()};
}

/// The data of some of the rows, which stay where they are in the table.
Dataset with_places(const Dataset& data, const std::vector<Index>& rows) {
  if (static_cast<Index>(rows.size()) == data.rows()) return data;
  Dataset some = data.rows_at(rows);
  some.reading = data.reading;
  std::vector<Index>& dropped = some.reading.dropped;
  std::size_t next = 0;
  for (Index i = 0; i < data.rows(); ++i) {
    if (next < rows.size() && rows[next] == i) {
      ++next;
    } else {
      dropped.push_back(data.reading.table_row(i));
    }
  }
  std::sort(dropped.begin(), dropped.end());
  return some;
}

/// The leading principal component of the columns, which has their mean square.
Vector leading_component(const Matrix& targets) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(targets.transpose() * targets);
  const Vector component = targets * eigen.eigenvectors().rightCols(1);
  const double power = targets.squaredNorm() / static_cast<double>(targets.cols());
  return component * std::sqrt(power / component.squaredNorm());
}

}  // namespace

CommonRows common_rows(const std::vector<Dataset>& targets, const FitOptions& options) {
  const Eigen::MatrixX<Index> rows = places_of_common_rows(targets);
  if (rows.rows() < fewest_common_rows) {
    throw InputError(fmt::format("{} row{} a value of every target, and a kernel that they share is trained on those",
                                 rows.rows(), rows.rows() == 1 ? " has" : "s have"),
                     Remedy::omit_option, {"share_kernel"});
  }
  CommonRows out{with_places(targets.front(), listed(rows, 0)), Matrix(rows.rows(), rows.cols()), true};
  for (Index j = 0; j < rows.cols(); ++j) {
    const Dataset& data = targets[static_cast<std::size_t>(j)];
    const std::vector<Index> own = listed(rows, j);
    if (data.x(own, Eigen::all) != out.leading.x) {
      throw InputError(fmt::format("the targets '{}' and '{}' have different inputs", targets.front().columns.target,
                                   data.columns.target),
                       Remedy::omit_option, {"share_kernel"});
    }
    out.targets.col(j) = scaling_of(data, options).target(data.y)(own);
    out.all = out.all && data.rows() == rows.rows();
  }
  out.leading.y = leading_component(out.targets);
  return out;
}

}  // namespace gpcv
