/// Kernel programs: covariance expressions lowered to straight-line code, the interface between kernels and backends.
#pragma once

#include <string_view>
#include <vector>

#include "gpcv/export.hpp"

namespace gpcv {

/// Instructions of a kernel program: kernel families, sum and product.
enum class Op { se, lp, periodic, matern12, matern32, matern52, rq, linear, constant, add, multiply };

/// Name in the text of a kernel ("se", "matern32", …); "+" and "*" for sum and product.
GPCV_EXPORT std::string_view name_of(Op op);

/// Instruction of a kernel program. Its result is stored in the register of the same index; operands are earlier
/// registers.
struct Instruction {
  Op op = Op::se;  ///< operation
  // A kernel of the inputs:
  int first_column = 0;  ///< first entry in KernelProgram::columns and KernelProgram::lengths
  int column_count = 0;  ///< number of entries
  int variance = -1;     ///< slot of the variance
  int period = -1;       ///< slot of the period; -1 for none
  int shape = -1;        ///< slot of the shape; -1 for none
  // A sum or product:
  int left = -1;   ///< register of the left operand
  int right = -1;  ///< register of the right operand
};

/// Program that evaluates k(x, x') into its last register. Every parameter is positive; derivatives are with respect to
/// its logarithm.
struct KernelProgram {
  std::vector<Instruction> code;  ///< instructions in the order of evaluation
  std::vector<int> columns;       ///< input columns of all instructions
  std::vector<int> lengths;       ///< slot of the length scale of each entry of `columns`; -1 for the length 1
  std::vector<double> values;     ///< value of each slot
  std::vector<int> theta;         ///< index in θ of each slot; -1 for a fixed parameter
  int inputs = 0;                 ///< number d of input columns
  int parameters = 0;             ///< number p of free parameters

  /// Whether an instruction is a kernel of the inputs, not a sum or product.
  bool is_leaf(const Instruction& i) const { return i.op != Op::add && i.op != Op::multiply; }
};

}  // namespace gpcv
