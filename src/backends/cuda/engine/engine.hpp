/// The products of one kernel program on one pair of point sets, on the device, with pairs of T.
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

/// Coordinates are uploaded once; right-hand sides travel with each call, block by block of columns, while the device
/// works on the block before. Results are bit-identical for the same data on the same kind of device.
template <class T>
class Engine {
 public:
  Engine(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric, int threads,
         const Tuning& tuning = {});

  /// K(X, S) for so many points S of X, to be gathered from the coordinates of `whole` into those here. `whole` is
  /// symmetric and outlives it. The device is locked by the caller.
  Engine(const Engine& whole, std::size_t columns);
  /// Coordinate c of column point i at c · stride + i.
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

  /// kᵀ (K_SS + noise I)⁻¹ k for every row point, with S the column points of largest k_i² scale_i; NaN where that
  /// fails. In double only, not symmetric.
  Vector explained(Index neighbours, const Vector& scale, double noise);

  /// Columns [first, first + count) of a block that lies on the device, `width` of them, column by column.
  struct Block {
    Address address = 0;
    long long stride = 0;
    Index first = 0, count = 0;
    int width = 0;
  };
  /// K v where all stays on the device: `fill` writes columns of v, as T, zero beyond the points and beyond `count`;
  /// `take` reads those of K v, in double. Both may be called again for the same columns. Nothing is waited for, and
  /// the device is locked by the caller.
  void apply_resident(Index columns, const std::function<void(const Block& v)>& fill,
                      const std::function<void(const Block& y)>& take);

  /// Of kernels since the engine was made, by the device's clock.
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

  /// Calls `run` with fewer and fewer columns per pass while the device's memory does not suffice.
  void with_columns(int columns, const std::function<void(int)>& run);
  /// One block of columns after the other: derivatives first … last − 1 of v, or K v.
  void columns_product(const Ready& ready, ConstView v, View result);
  void contract_pass(const Ready& ready, ConstView u, ConstView v, VectorView g);
  Specification specification(Task task, int columns, int first_theta, int last_theta) const;
  /// Columns [begin, end) of apply_resident(), so many at a time.
  void resident_passes(Index begin, Index end, int columns, const std::function<void(const Block&)>& fill,
                       const std::function<void(const Block&)>& take);
  /// Written, compiled and loaded at the first call.
  const Ready& ready(Task task, int columns, int first_theta, int last_theta);
  /// results: numbers that a split leaves for each row, 0 when it leaves a constant number.
  Grid plan(const LoadedKernel& kernel, const Specification& s, int results) const;
  /// Adds up the splits of a pass that leaves so many numbers.
  void add_splits(const LoadedKernel& kernel, const Grid& grid, Address out, std::size_t numbers);
  LaunchArguments arguments(const Grid& grid, const Specification& s) const;
  void launch(const LoadedKernel& kernel, const Grid& grid, const LaunchArguments& arguments);
  /// Columns [first, first + count) of v as T, `width` of them, padded with zeros.
  void convert(ConstView v, Index first, Index count, int width, std::size_t stride, T* out) const;

  Device& device_;
  KernelProgram program_;
  ProgramLayout layout_;
  std::vector<T> weights_;
  Buffer row_x_, col_x_, weights_on_device_;
  Address rows_of_another_ = 0;  ///< coordinates of the row points where another engine keeps them
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
