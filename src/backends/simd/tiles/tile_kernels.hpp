/// The functions that exist once per instruction set and precision, and the plain structs that they take.
#pragma once

#include <cstddef>

#include "backends/simd/program/prepared_program.hpp"
#include "backends/simd/program/tile_plan.hpp"

namespace gpcv::simd {

/// Columns [begin, end) of the right-hand sides.
struct ColumnRange {
  std::size_t begin = 0, end = 0;
};

/// A rectangle of K. Its starts are multiples of 64; its sizes are arbitrary.
struct Block {
  std::size_t row = 0, rows = 0;
  std::size_t col = 0, cols = 0;
  enum class Part {
    rectangle,  ///< represents itself
    mirrored,   ///< represents itself and its transpose, off the diagonal of K(X, X)
    diagonal,   ///< row = col: the upper triangle is evaluated and mirrored
  } part = Part::rectangle;
  ColumnRange zero_rows = {},
              zero_cols = {};  ///< columns in which v is zero at all row points, at all column points of the block
  bool unwanted = false;       ///< the caller ignores y there too
};

/// Right-hand sides, converted and padded: column c starts at data + c·stride.
template <class T>
struct Columns {
  const T* data = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
};

/// The working memory of one thread. The sums of a block are formed here and then added to the result in double.
template <class T>
struct Workspace {
  T* tiles = nullptr;
  std::size_t tile_size = 0;  ///< numbers per tile
  T* row_sums = nullptr;      ///< (rows of the block) × columns of the result
  T* col_sums = nullptr;      ///< (cols of the block) × columns of the result, mirrored parts only
  std::size_t sum_stride = 0;
  double* gradient = nullptr;
};

template <class T>
struct ApplyJob {
  const Leaf<T>* leaves = nullptr;
  const ValueStep* steps = nullptr;
  std::size_t step_count = 0;
  Columns<T> row_v, col_v;  ///< v at the row points (read by mirrored parts) and at the column points
  bool fused = true;        ///< a single column is multiplied without a tile, which is faster but rounds differently
};

template <class T>
struct GradientJob {
  const Leaf<T>* leaves = nullptr;
  const GradientStep* steps = nullptr;
  std::size_t step_count = 0;
  int plan_tiles = 0;  ///< tiles of the plan, followed by two scratch tiles
  int seed = -1;
  /// The operands: v for derivatives; for a contraction the adjoint of K(i, j) is Σ_c u_ic v_jc, or the dense symmetric
  /// w.
  Columns<T> row_u, col_u, row_v, col_v;
  const double* dense = nullptr;  ///< lower triangle, column-major
  std::size_t dense_stride = 0, dense_size = 0;
};

/// The number of scratch tiles that a gradient job needs after those of its plan.
constexpr int gradient_scratch_tiles = 2;

/// row_sums += K v, col_sums += Kᵀ v over the block.
void apply_block(const ApplyJob<float>& job, const Block& block, const Workspace<float>& work);
void apply_block(const ApplyJob<double>& job, const Block& block, const Workspace<double>& work);

/// Adds the columns (∂K/∂log θ_i) v, i major, to the sums in the same way.
void derivative_block(const GradientJob<float>& job, const Block& block, const Workspace<float>& work);
void derivative_block(const GradientJob<double>& job, const Block& block, const Workspace<double>& work);

/// gradient_i += Σ adjoint ∘ ∂K/∂log θ_i over the block.
void contract_block(const GradientJob<float>& job, const Block& block, const Workspace<float>& work);
void contract_block(const GradientJob<double>& job, const Block& block, const Workspace<double>& work);

/// out(j, i) = K(row + i, col + j), i < rows, j < cols: a row of K is a column of `out`.
void copy_block(const ApplyJob<double>& job, const Block& block, const Workspace<double>& work, double* out,
                std::size_t out_stride);

}  // namespace gpcv::simd
