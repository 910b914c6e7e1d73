/// A covariance expression lowered to straight-line code: the whole contract between kernels and backends.
#pragma once

#include <string_view>
#include <vector>

#include "gpcv/export.hpp"

namespace gpcv {

/// Instructions of a kernel program: kernel families, sum and product.
enum class Op { se, lp, periodic, matern12, matern32, matern52, rq, linear, constant, add, multiply };

/// The name used in kernel text ("se", "matern32", …); "+" and "*" for the combinations.
GPCV_EXPORT std::string_view name_of(Op op);

/// One step. Its result is the register of the same index; operands are earlier registers.
struct Instruction {
  Op op = Op::se;
  // A kernel of the inputs:
  int first_column = 0;  ///< into KernelProgram::columns and ::lengths
  int column_count = 0;
  int variance = -1;  ///< slot
  int period = -1;    ///< slot, or -1
  int shape = -1;     ///< slot, or -1
  // A combination:
  int left = -1;
  int right = -1;
};

/// k(x, x') is the last register. Every parameter is positive; derivatives are with respect to its logarithm.
struct KernelProgram {
  std::vector<Instruction> code;
  std::vector<int> columns;    ///< input columns, per instruction
  std::vector<int> lengths;    ///< slot of the length scale of each entry of `columns`, or -1: none (1)
  std::vector<double> values;  ///< value of each slot
  std::vector<int> theta;      ///< slot → index in θ, or -1 when held
  int inputs = 0;              ///< d
  int parameters = 0;          ///< p = dim θ

  bool is_leaf(const Instruction& i) const { return i.op != Op::add && i.op != Op::multiply; }
};

}  // namespace gpcv
