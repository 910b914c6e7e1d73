#include "evaluation/row_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "backends/dense_kernel.hpp"

namespace gpcv {
namespace {

/// Rows at which the sensitivity is measured, and the step in deviations of the column: less than most length scales.
constexpr Index measured_rows = 64;
constexpr double step_deviations = 0.05;

/// Standard deviation of each column.
Vector deviations(const Matrix& x) {
  return (x.rowwise() - x.colwise().mean()).colwise().squaredNorm().transpose().array().sqrt() /
         std::sqrt(static_cast<double>(std::max<Index>(1, x.rows())));
}

/// s_j² = mean (1 − ρ(x, x + h_j e_j))/h_j²: how quickly the correlation falls along column j.
Vector squared_sensitivity(const KernelProgram& program, const Matrix& x) {
  const Index count = std::min(measured_rows, x.rows());
  std::vector<Index> rows(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) rows[static_cast<std::size_t>(i)] = i * x.rows() / count;
  const Matrix here = x(rows, Eigen::all);
  const Vector own = kernel_diagonal(program, here), spread = deviations(x);
  Vector out = Vector::Zero(x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    const double h = step_deviations * spread(j);
    if (!(h > 0)) continue;
    Matrix moved = here;
    moved.col(j).array() += h;
    const Vector cross = dense_kernel(program, here, moved, 1).diagonal();
    const Vector scale = (own.array() * kernel_diagonal(program, moved).array()).sqrt();
    double sum = 0;
    for (Index i = 0; i < count; ++i) sum += scale(i) > 0 ? std::max(0.0, 1 - cross(i) / scale(i)) : 0;
    out(j) = sum / static_cast<double>(count) / (h * h);
  }
  return out;
}

/// The threshold between two different values that halves them best; NaN if all are equal.
double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  for (std::size_t away = 0; away < n; ++away) {
    for (const std::size_t at : {n / 2 - std::min(n / 2, away), n / 2 + away}) {
      if (at == 0 || at >= n || !(values[at - 1] < values[at])) continue;
      const double middle = std::midpoint(values[at - 1], values[at]);
      return middle < values[at] ? middle : values[at - 1];
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

RowCells::RowCells(const KernelProgram& program, const Matrix& x, Index rows_per_cell) {
  std::vector<Index> rows(static_cast<std::size_t>(x.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  grow(x, squared_sensitivity(program, x), std::move(rows), std::max<Index>(1, rows_per_cell));
}

Index RowCells::grow(const Matrix& x, const Vector& sensitivity, std::vector<Index> rows, Index rows_per_cell) {
  const auto node = static_cast<Index>(nodes_.size());
  nodes_.emplace_back();
  if (static_cast<Index>(rows.size()) > rows_per_cell) {
    // A column to which the function hardly responds still separates rows where no other does.
    const Matrix own = x(rows, Eigen::all);
    const Vector spread = deviations(own);
    const double least = 1e-12 * sensitivity.maxCoeff() + std::numeric_limits<double>::min();
    const Vector worth = spread.array().square() * sensitivity.array().max(least);
    std::vector<Index> columns(static_cast<std::size_t>(x.cols()));
    std::iota(columns.begin(), columns.end(), Index{0});
    std::stable_sort(columns.begin(), columns.end(), [&](Index a, Index b) { return worth(a) > worth(b); });
    for (const Index column : columns) {
      const double threshold = middle_of({own.col(column).begin(), own.col(column).end()});
      if (std::isnan(threshold)) continue;
      const auto border =
          std::stable_partition(rows.begin(), rows.end(), [&](Index i) { return x(i, column) <= threshold; });
      const Index below = grow(x, sensitivity, {rows.begin(), border}, rows_per_cell);
      const Index above = grow(x, sensitivity, {border, rows.end()}, rows_per_cell);
      nodes_[static_cast<std::size_t>(node)] = {column, threshold, below, above};
      return node;
    }
  }
  nodes_[static_cast<std::size_t>(node)].below = size();
  members_.push_back(std::move(rows));
  return node;
}

Index RowCells::cell_of(ConstView points, Index row) const {
  const Node* node = nodes_.data();
  while (node->column >= 0) {
    node = &nodes_[static_cast<std::size_t>(points(row, node->column) <= node->threshold ? node->below : node->above)];
  }
  return node->below;
}

}  // namespace gpcv
