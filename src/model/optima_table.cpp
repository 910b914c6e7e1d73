#include "model/optima_table.hpp"

#include <cmath>
#include <limits>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

constexpr Index head = 3;  ///< restart, status and objective

Matrix numbers_of(const std::vector<Optimum>& optima) {
  Matrix numbers(static_cast<Index>(optima.size()), head);
  Index at = 0;
  for (const Optimum& o : optima) numbers.row(at++) << o.restart, static_cast<double>(o.status), o.objective;
  return numbers;
}

Optimum head_of(const Matrix& numbers, Index row) {
  return {whole(numbers(row, 0)), status_of(whole(numbers(row, 1))), numbers(row, 2), {}};
}

void require_shape(bool right) {
  if (!right) throw InputError("its table of optima has another shape");
}

}  // namespace

OptimaTable::OptimaTable(const std::vector<Optimum>& optima) : numbers(numbers_of(optima)) {
  Index p = 0;
  for (const Optimum& o : optima) p = std::max(p, o.log_theta.size());
  log_theta = Matrix::Constant(numbers.rows(), p, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < numbers.rows(); ++i) {
    const Optimum& o = optima[static_cast<std::size_t>(i)];
    if (o.log_theta.size() == p) log_theta.row(i) = o.log_theta;
  }
}

std::vector<Optimum> OptimaTable::optima() const {
  const Index count = numbers.rows();
  require_shape(log_theta.rows() == count && (count == 0 || numbers.cols() == head));
  std::vector<Optimum> optima;
  for (Index i = 0; i < count; ++i) {
    optima.push_back(head_of(numbers, i));
    if (!optima.back().reached()) continue;
    optima.back().log_theta = log_theta.row(i);
    if (!optima.back().log_theta.allFinite()) throw InputError("an optimum is not finite");
  }
  return optima;
}

std::vector<Optimum> OptimaTable::optima_of_texts(const Kernel& kernel, bool noise_is_free) const {
  const Index count = numbers.rows();
  require_shape(static_cast<Index>(kernels.size()) == count && (count == 0 || numbers.cols() == head + 1));
  const auto own = kernel.parameters();
  std::vector<Optimum> optima;
  for (Index i = 0; i < count; ++i) {
    Optimum& optimum = optima.emplace_back(head_of(numbers, i));
    if (!optimum.reached()) continue;
    const Kernel theirs = Kernel::parse(kernels[static_cast<std::size_t>(i)]).bind(kernel.inputs());
    if (theirs.parameters().size() != own.size()) throw InputError("an optimum is of another kernel");
    std::vector<double> values;
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (!own[k].fixed) values.push_back(theirs.parameters()[k].value);
    }
    if (noise_is_free) values.push_back(numbers(i, head));
    optimum.log_theta = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())).array().log();
    if (!optimum.log_theta.allFinite()) throw InputError("an optimum is not finite");
  }
  return optima;
}

int whole(double number) {
  if (!(number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max())) {
    throw InputError("a number of a table is out of range");
  }
  return static_cast<int>(number);
}

Status status_of(int number) {
  if (number < 0 || number > static_cast<int>(Status::numerical_failure)) throw InputError("a status is unknown");
  return static_cast<Status>(number);
}

}  // namespace gpcv
