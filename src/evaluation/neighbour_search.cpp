#include "evaluation/neighbour_search.hpp"

#include <algorithm>
#include <functional>

#include "backends/dense_kernel.hpp"

namespace gpcv {
namespace {

/// Rows that stand for a group, and numbers of K(X, rows) that are held at once.
constexpr Index representatives = 16, numbers_at_once = Index{1} << 18;

}  // namespace

NeighbourSearch::NeighbourSearch(const KernelProgram& program, const Matrix& x, double noise)
    : program_(program), x_(x), scale_((kernel_diagonal(program, x).array() + noise).inverse()) {}

Vector NeighbourSearch::worth_for(const std::vector<Index>& rows) const {
  const auto size = static_cast<Index>(rows.size());
  const Index count = std::min(size, representatives);
  const Index at_once = std::clamp<Index>(numbers_at_once / std::max<Index>(1, x_.rows()), 1, representatives);
  Vector sum = Vector::Zero(x_.rows());
  for (Index first = 0; first < count; first += at_once) {
    std::vector<Index> some;
    for (Index i = first; i < std::min(count, first + at_once); ++i) {
      some.push_back(rows[static_cast<std::size_t>(i * size / count)]);
    }
    const Matrix cross = dense_kernel(program_, x_, x_(some, Eigen::all), 1);
    sum += cross.rowwise().squaredNorm();
  }
  return sum.array() * scale_.array();
}

std::vector<Index> NeighbourSearch::best(const Vector& worth, Index count) {
  Vector order = worth;
  std::nth_element(order.begin(), order.begin() + (count - 1), order.end(), std::greater<>());
  const double least = order(count - 1);
  // Among the points that are worth the same as the last one, the first are taken.
  Index equals = count - (order.head(count).array() > least).count();
  std::vector<Index> chosen;
  chosen.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < worth.size(); ++i) {
    if (worth(i) > least || (worth(i) == least && equals-- > 0)) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace gpcv
