/// Copies between the triangles of a square matrix on the device, and to and from its diagonal.
#pragma once

#include <string>

#include "backends/cuda/driver/device.hpp"
#include "gpcv/types.hpp"

namespace gpcv::cuda {

/// The CUDA C++ source, with the same entry points as a product.
std::string square_source();

/// The kernels for a column-major matrix a of `rows` rows and columns. The caller locks the device.
class SquareKernels {
 public:
  explicit SquareKernels(Device& device);

  /// The strictly upper triangle becomes the transpose of the lower one.
  void lower_to_upper(Address a, Index rows, Index stride) const;
  /// The strictly lower triangle becomes the transpose of the upper one.
  void upper_to_lower(Address a, Index rows, Index stride) const;
  /// d_i = a_ii
  void read_diagonal(Address a, Index rows, Index stride, Address d) const;
  /// a_ii = d_i + added
  void write_diagonal(Address a, Index rows, Index stride, Address d, double added) const;

 private:
  void run(int task, Address a, Index rows, Index stride, Address d, double added) const;

  Device& device_;
  const LoadedKernel& kernel_;
};

}  // namespace gpcv::cuda
