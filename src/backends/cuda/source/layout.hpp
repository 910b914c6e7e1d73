/// The layout of the coordinates and weights of a kernel program in device memory, and the indices that generated code
/// uses.
#pragma once

#include <vector>

#include "backends/simd/program/prepared_program.hpp"
#include "gpcv/kernel_program.hpp"

namespace gpcv::cuda {

/// The layout of one leaf kernel; a combination has an empty entry. An index is -1 if the leaf has no such quantity.
struct LeafLayout {
  simd::Metric metric = simd::Metric::none;
  simd::Profile profile = simd::Profile::constant;
  int columns = 0;
  int x = -1;      ///< first row of its scaled coordinates in the buffer of coordinates
  int phase = -1;  ///< first row of its phases
  // Indices into the weights passed with each launch:
  int variance = -1, shape = -1, sine_weight = -1, period_weight = -1;
  // Indices into θ:
  int variance_theta = -1, shape_theta = -1, period_theta = -1;
  std::vector<simd::LengthGroup> groups;
};

/// The structure of a program: everything except its values, so that the layout does not depend on θ.
struct ProgramLayout {
  std::vector<LeafLayout> leaves;  ///< by instruction
  int coordinates = 0;             ///< rows of the buffer of coordinates
  int weights = 0;
};

ProgramLayout layout_of(const KernelProgram& program);

/// The weights, in the order of the layout.
template <class T>
std::vector<T> weights_of(const ProgramLayout& layout, const simd::Leaf<T>* leaves);

/// Writes coordinate c of point i to out[c · stride + i]; `out` is zero initially. The points are the column points or
/// the row points.
template <class T>
void pack_coordinates(const ProgramLayout& layout, const simd::Leaf<T>* leaves, bool columns, std::size_t points,
                      std::size_t stride, T* out);

/// Whether all packed points are so near the origin, in the metric of every kernel with a distance, that distances may
/// be computed by products.
template <class T>
bool near_origin(const ProgramLayout& layout, const T* packed, std::size_t points, std::size_t stride);

}  // namespace gpcv::cuda
