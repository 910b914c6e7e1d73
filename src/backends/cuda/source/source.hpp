/// The CUDA C++ source of one kernel: fixed text around the functions generated from the expression.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backends/cuda/source/layout.hpp"
#include "backends/cuda/source/specification.hpp"

namespace gpcv::cuda {

/// One translation unit with the entry points `gpcv_kernel` (the product) and `gpcv_reduce` (the sum over splits). The
/// text depends on the structure of the program and never on the values of its parameters. It also compiles as host C++
/// after tests/backends/cuda/emulation.hpp.
std::string write_source(const KernelProgram& program, const Specification& specification);

/// The arguments of a launch: the struct Arguments of the source, with pointers as addresses.
struct LaunchArguments {
  unsigned long long row_x = 0, col_x = 0, u = 0, v = 0, out = 0;
  long long row_stride = 0;    ///< between coordinates, and between columns of u
  long long col_stride = 0;    ///< between coordinates, and between columns of v
  long long out_stride = 0;    ///< between columns of the result
  long long split_stride = 0;  ///< between partial results
  int rows = 0;
  int cols = 0;   ///< a multiple of the tile; v is zero beyond the last point
  int chunk = 0;  ///< column points of one block of threads, a multiple of the tile
  int unused = 0;
  unsigned long long scratch = 0;  ///< the memory of a factorisation
  double noise = 0;
};

/// Whether the weights are too many to be passed with the arguments.
bool weights_by_address(const ProgramLayout& layout, bool single);

/// The bytes of the arguments followed by the weights, in the layout of the source's struct. Weights passed by address
/// are one number, the address.
template <class T>
std::vector<std::byte> pack_arguments(const LaunchArguments& arguments, const std::vector<T>& weights);

}  // namespace gpcv::cuda
