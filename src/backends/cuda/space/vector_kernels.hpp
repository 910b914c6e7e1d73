/// Updates and sums of columns on the device, by one small kernel whose task is an argument.
#pragma once

#include <string>

#include "backends/cuda/driver/device.hpp"
#include "gpcv/types.hpp"

namespace gpcv::cuda {

/// The tasks; c is a column and i a row, and the strides are those of VectorArguments. Tasks marked Σ write sums for
/// `sums`.
enum class VectorTask : int {
  narrow,      ///< y_ic = a_ic in working precision, 0 beyond `rows` and `columns`, up to out_stride rows
  unit,        ///< y_ic = 1 where i = first + c, else 0, in working precision
  zero,        ///< y_ic = 0
  copy,        ///< y_ic = a_{i, index[c]}, index null: a_ic
  add,         ///< y_ic += a_ic
  gather,      ///< y_ic = a_{index[i], c}
  scale,       ///< y_ic = a_ic / noise_i
  multiplied,  ///< y_ic = trains ? a_ic + noise_i b_ic : 0; Σ b y
  advance,     ///< x_{i, index[c]} += factor_c a_ic, y_ic −= factor_c b_ic; Σ y², Σ a²
  corrected,   ///< y_ic = (a_ic − (trains ? b_ic : 0)) / noise_i, b and noise may be null; Σ a y
  turn,        ///< y_ic = a_ic + factor_c y_ic
  row_norms,   ///< y_i = Σ_c a_ic²
};

/// The struct Arguments of the source.
struct VectorArguments {
  Address a = 0, b = 0, x = 0, y = 0;
  Address noise = 0;     ///< by row
  Address training = 0;  ///< bytes: fold k at k · rows
  Address system = 0;    ///< int by column
  Address index = 0;     ///< int
  Address factor = 0;    ///< by column
  Address sums = 0;      ///< sums of each block of threads
  long long rows = 0;
  long long a_stride = 0, stride = 0, out_stride = 0;  ///< strides of a, of b, and of x and y
  int task = 0, columns = 0, first = 0, single = 0;
  int sum_columns = 0;  ///< columns of all sums of one kind, of which these may be a part
  int unused = 0;
};

/// The CUDA C++ source, with the same entry points as a product.
std::string vector_source();

/// The kernels of the tasks. The caller locks the device.
class VectorKernels {
 public:
  explicit VectorKernels(Device& device);

  /// Runs a task on grid_rows × grid_columns numbers.
  void run(VectorTask task, VectorArguments arguments, Index grid_rows, Index grid_columns) const;
  /// A buffer for the sums of this many columns, two per column.
  Buffer room_for_sums(Index rows, Index columns) const;
  /// The sums that a task wrote: `kinds` for each of `columns`, one kind after the other.
  Vector sums(const Buffer& room, Index rows, Index columns, int kinds) const;

 private:
  Device& device_;
  const LoadedKernel& kernel_;
};

}  // namespace gpcv::cuda
