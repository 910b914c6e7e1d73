#include "operators/backend_operator.hpp"

#include <fmt/format.h>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

void require_shape(const char* what, Index rows, Index cols, Index expected_rows, Index expected_cols) {
  if (rows == expected_rows && cols == expected_cols) return;
  throw InputError(fmt::format("{} is {} × {}, expected {} × {}", what, rows, cols, expected_rows, expected_cols));
}

}  // namespace

std::unique_ptr<Space> BackendOperator::space(const Vector&, const std::vector<std::vector<char>>&) const {
  return nullptr;
}

void BackendOperator::apply(ConstView v, View y, std::span<const ZeroRows> zeros) const {
  require_shape("apply: v", v.rows(), v.cols(), cols_, v.cols());
  require_shape("apply: y", y.rows(), y.cols(), rows_, v.cols());
  if (v.cols() > 0) apply_impl(v, y, zeros);
}

void BackendOperator::derivatives(ConstView v, View j) const {
  require_shape("derivatives: v", v.rows(), v.cols(), cols_, v.cols());
  require_shape("derivatives: j", j.rows(), j.cols(), rows_, parameters_ * v.cols());
  if (j.cols() > 0) derivatives_impl(v, j);
}

void BackendOperator::contract(ConstView u, ConstView v, VectorView g) const {
  require_shape("contract: u", u.rows(), u.cols(), rows_, v.cols());
  require_shape("contract: v", v.rows(), v.cols(), cols_, v.cols());
  require_shape("contract: g", g.size(), 1, parameters_, 1);
  g.setZero();
  if (v.cols() > 0 && parameters_ > 0) contract_impl(u, v, g);
}

}  // namespace gpcv
