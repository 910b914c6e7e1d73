/// The products of one kernel program on one pair of point sets, on the device, with pairs evaluated in T.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "backends/cuda/driver/device.hpp"
#include "backends/cuda/source/layout.hpp"
#include "backends/cuda/source/source.hpp"
#include "backends/cuda/source/specification.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv::cuda {

/// The products on the device. Coordinates are uploaded once; right-hand sides are uploaded with each call, in blocks
/// of columns, while the device works on the previous block. Results are bit-identical for the same data on the same
/// kind of device.
template <class T>
class Engine {
 public:
  Engine(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric, int threads,
         const Tuning& tuning = {});

  /// The products of K(X, S) for `columns` points S of X, whose coordinates the caller gathers from those of `whole`.
  /// `whole` is symmetric and outlives this engine. The caller locks the device.
  Engine(const Engine& whole, std::size_t columns);
  /// The coordinates of the column points: coordinate c of point i is at c · stride + i.
  struct Coordinates {
    Address address = 0;
    long long stride = 0;
    int count = 0;
  };
  Coordinates column_points() const {
    return {col_x_.address(), static_cast<long long>(col_stride_), layout_.coordinates};
  }

  /// y = K v
  void apply(ConstView v, View y);
  /// j = [(∂K/∂log θ_i) v]
  void derivatives(ConstView v, View j);
  /// g_i = Σ_c u_cᵀ (∂K/∂log θ_i) v_c
  void contract(ConstView u, ConstView v, VectorView g);

  /// kᵀ (K_SS + noise I)⁻¹ k for every row point, where S holds the column points of largest k_i² scale_i; NaN if the
  /// factorisation fails. The function requires T = double and an engine that is not symmetric.
  Vector explained(Index neighbours, const Vector& scale, double noise);

  /// Writes K to `out`, column-major with `stride` numbers per column. The function does not wait for the device, which
  /// the caller locks.
  void entries(Address out, long long stride);

  /// Columns [first, first + count) as a block on the device, which is `width` columns wide and column-major.
  struct Block {
    Address address = 0;
    long long stride = 0;
    Index first = 0, count = 0;
    int width = 0;
  };
  /// K v with all vectors on the device: `fill` writes columns of v, as T, with zeros beyond the points and beyond
  /// `count`; `take` reads the columns of K v, in double. Both may be called again for the same columns. The function
  /// does not wait for the device, which the caller locks.
  void apply_resident(Index columns, const std::function<void(const Block& v)>& fill,
                      const std::function<void(const Block& y)>& take);

  /// The time of all kernels since the engine was created, by the device's clock.
  double kernel_seconds() const { return kernel_seconds_; }

 private:
  class Slot;
  struct Grid {
    unsigned row_blocks = 1, splits = 1;
    int chunk = 0;
  };

  /// A kernel ready to be launched.
  struct Ready {
    Specification specification;
    const LoadedKernel* kernel = nullptr;
  };

  /// Calls `run` with fewer and fewer columns per pass until the device's memory suffices.
  void with_columns(int columns, const std::function<void(int)>& run);
  /// Computes the columns block by block: derivatives first … last − 1 of v, or K v.
  void columns_product(const Ready& ready, ConstView v, View result);
  void contract_pass(const Ready& ready, ConstView u, ConstView v, VectorView g);
  /// Columns [begin, end) of apply_resident(), `columns` at a time.
  void resident_passes(Index begin, Index end, int columns, const std::function<void(const Block&)>& fill,
                       const std::function<void(const Block&)>& take);
  /// The kernel for a task, which the first call generates, compiles and loads.
  const Ready& ready(Task task, int columns, int first_theta, int last_theta);
  /// results: the numbers that a split writes for each row, 0 if their number does not depend on the rows.
  Grid plan(const LoadedKernel& kernel, const Specification& s, int results) const;
  /// Adds up the splits of a pass that writes this many numbers.
  void add_splits(const LoadedKernel& kernel, const Grid& grid, Address out, std::size_t numbers);
  LaunchArguments arguments(const Grid& grid, const Specification& s) const;
  void launch(const LoadedKernel& kernel, const Grid& grid, const LaunchArguments& arguments);
  /// Converts columns [first, first + count) of v to T, padded with zeros to `width` columns.
  void convert(ConstView v, Index first, Index count, int width, std::size_t stride, T* out) const;

  Device& device_;
  KernelProgram program_;
  ProgramLayout layout_;
  std::vector<T> weights_;
  Buffer row_x_, col_x_, weights_on_device_;
  Address rows_of_another_ = 0;  ///< coordinates of the row points if another engine stores them
  std::size_t rows_, cols_, row_stride_, col_stride_, out_stride_;
  bool symmetric_;
  bool by_products_ = false;
  int threads_;
  Tuning tuning_;
  std::map<std::array<int, 3>, Ready> ready_;  ///< by task, columns, first derivative
  double kernel_seconds_ = 0;
};

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace gpcv::cuda
