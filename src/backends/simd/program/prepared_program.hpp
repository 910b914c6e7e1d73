/// A kernel program with its data as the vector code reads them, scaled so that a tile needs no divisions.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/simd/aligned_buffer.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv::simd {

/// The sum m of a leaf over its columns; a, b are scaled coordinates, f, g phases (x/p minus its nearest integer).
enum class Metric {
  distance,       ///< m = −Σ (a − b)²: never positive, the exponent of 2
  sine,           ///< m = −Σ w sin²(π(f − g))
  distance_sine,  ///< m = −Σ (a − b)² + w sin²(π(f − g))
  dot,            ///< m = Σ a b
  none,
};

/// The function that maps m to the value of a leaf; s2 is the variance.
enum class Profile {
  exponential,  ///< s2 2^m
  matern12,     ///< s2 2^−s,                    s = √−m
  matern32,     ///< s2 (1 + t) 2^−s,            t = s ln 2
  matern52,     ///< s2 (1 + t + t²/3) 2^−s
  rational,     ///< s2 (1 − m)^−shape
  scaled,       ///< s2 m
  constant,     ///< s2
};

/// The profile of a leaf.
Profile profile_of(Op op);
/// Whether ∂k/∂log l of a leaf is not a constant times k times the metric.
bool has_slope(Op op);

/// A group of columns, first … first + count − 1 of a leaf, that share one trained length scale.
struct LengthGroup {
  int theta = -1;
  int first = 0;
  int count = 0;
};

template <class T>
struct Leaf {
  Metric metric = Metric::none;
  Profile profile = Profile::constant;
  std::size_t columns = 0;
  /// Coordinates of the row points and of the column points, one column after another.
  const T* row_x = nullptr;
  const T* col_x = nullptr;
  const T* row_phase = nullptr;
  const T* col_phase = nullptr;
  std::size_t row_stride = 0, col_stride = 0;
  const T* sine_weight = nullptr;    ///< w = 2 log2(e) / l²
  const T* period_weight = nullptr;  ///< ∂ log k/∂ log p = Σ weight (a − b) sin(2π(f − g))
  T variance = 0;
  T shape = 0;
  T length_factor = 0;  ///< ∂k/∂ log l = factor · (k, slope tile, or 1) · m of the group
  int variance_theta = -1, period_theta = -1, shape_theta = -1;
  const LengthGroup* groups = nullptr;
  std::size_t group_count = 0;
};

/// The program and its scaled copies of the data: (coordinates + phases) · (rows + cols) numbers per leaf.
template <class T>
class PreparedProgram {
 public:
  /// symmetric: x2 is x1, and both share one copy.
  PreparedProgram(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric);
  PreparedProgram(const PreparedProgram&) = delete;
  PreparedProgram& operator=(const PreparedProgram&) = delete;

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t parameters() const { return parameters_; }
  /// The leaves by instruction; a combination has an empty entry.
  const Leaf<T>* leaves() const { return leaves_.data(); }

 private:
  void prepare(const KernelProgram& program, const Instruction& instruction, ConstView x1, ConstView x2, bool symmetric,
               Leaf<T>& leaf);
  const T* keep(AlignedBuffer<T> buffer);

  std::size_t rows_, cols_, parameters_;
  std::vector<Leaf<T>> leaves_;
  std::vector<AlignedBuffer<T>> buffers_;
  std::vector<std::vector<LengthGroup>> groups_;
};

extern template class PreparedProgram<float>;
extern template class PreparedProgram<double>;

}  // namespace gpcv::simd
