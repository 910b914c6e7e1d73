#include "model/optima_table.hpp"

#include <limits>

#include "gpcv/error.hpp"

namespace gpcv {

OptimaTable::OptimaTable(const std::vector<Optimum>& optima) : numbers(static_cast<Index>(optima.size()), 4) {
  Index at = 0;
  for (const Optimum& o : optima) {
    numbers.row(at++) << o.restart, static_cast<double>(o.status), o.objective, o.noise;
    kernels.push_back(o.kernel);
  }
}

std::vector<Optimum> OptimaTable::optima() const {
  if (numbers.rows() != static_cast<Index>(kernels.size()) || (numbers.rows() > 0 && numbers.cols() != 4)) {
    throw InputError("its table of optima has another shape");
  }
  std::vector<Optimum> optima;
  for (Index i = 0; i < numbers.rows(); ++i) {
    optima.push_back({whole(numbers(i, 0)), status_of(whole(numbers(i, 1))), numbers(i, 2),
                      kernels[static_cast<std::size_t>(i)], numbers(i, 3)});
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
