#include "backends/cuda/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "backends/cuda/engine/passes.hpp"
#include "gpcv/error.hpp"

namespace gpcv::cuda {
namespace {

/// The granularity of coordinates and vectors: their length is a multiple of it, and every tile divides it.
constexpr std::size_t longest_tile = 128;
/// The most bytes for the partial results of the splits of one pass.
constexpr std::size_t split_bytes = std::size_t{128} << 20;
/// The time to start and end a block of threads, in tiles.
constexpr double tiles_of_overhead = 0.5;
std::size_t padded(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

}  // namespace

/// The buffers of one block of columns: with two of them the host prepares one while the device works on the other.
template <class T>
class Engine<T>::Slot {
 public:
  Slot(Device& device, std::size_t v_bytes, std::size_t out_bytes, std::size_t result_bytes)
      : host_v(device.allocate_host(v_bytes)),
        host_out(device.allocate_host(result_bytes)),
        v(device.allocate(v_bytes)),
        out(device.allocate(out_bytes)),
        start(device),
        end(device),
        done(device) {}

  Buffer host_v, host_out, v, out;
  Device::Mark start, end, done;
  Index first = 0, count = 0;  ///< columns in progress; none if count is 0
};

template <class T>
Engine<T>::Engine(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric, int threads,
                  const Tuning& tuning)
    : device_(Device::instance()),
      program_(program),
      layout_(layout_of(program)),
      rows_(static_cast<std::size_t>(x1.rows())),
      cols_(static_cast<std::size_t>(x2.rows())),
      row_stride_(padded(rows_, longest_tile)),
      col_stride_(padded(cols_, longest_tile)),
      out_stride_(padded(rows_, 16)),
      symmetric_(symmetric),
      threads_(std::max(threads, 1)),
      tuning_(tuning) {
  if (std::max(row_stride_, col_stride_) > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 2) {
    throw InputError("the cuda backend takes at most 2^30 points");
  }
  const simd::PreparedProgram<T> prepared(program, x1, x2, symmetric);
  weights_ = weights_of(layout_, prepared.leaves());
  const auto held = device_.lock();
  const Finished finished(device_);
  by_products_ = tuning.products;
  const auto upload = [&](bool columns, std::size_t points, std::size_t stride) {
    const std::size_t bytes =
        std::max<std::size_t>(static_cast<std::size_t>(layout_.coordinates) * stride, 1) * sizeof(T);
    const Buffer staging = device_.allocate_host(bytes);
    T* packed = static_cast<T*>(staging.host());
    pack_coordinates(layout_, prepared.leaves(), columns, points, stride, packed);
    by_products_ = by_products_ && near_origin(layout_, packed, points, stride);
    Buffer out = device_.allocate(bytes);
    device_.upload(out, packed, bytes);
    device_.synchronize();
    return out;
  };
  col_x_ = upload(true, cols_, col_stride_);
  if (!symmetric_) row_x_ = upload(false, rows_, row_stride_);
  if (weights_by_address(layout_, sizeof(T) == 4)) {
    weights_on_device_ = device_.allocate(weights_.size() * sizeof(T));
    device_.upload(weights_on_device_, weights_.data(), weights_.size() * sizeof(T));
    device_.synchronize();
  }
}

template <class T>
Engine<T>::Engine(const Engine& whole, std::size_t columns)
    : device_(whole.device_),
      program_(whole.program_),
      layout_(whole.layout_),
      weights_(whole.weights_),
      rows_of_another_(whole.col_x_.address()),
      rows_(whole.rows_),
      cols_(columns),
      row_stride_(whole.row_stride_),
      col_stride_(padded(columns, longest_tile)),
      out_stride_(whole.out_stride_),
      symmetric_(false),
      by_products_(whole.by_products_),
      threads_(whole.threads_),
      tuning_(whole.tuning_) {
  // Points beyond the last are multiplied by zero and must be finite: all are zero until they are gathered.
  const std::vector<T> none(std::max<std::size_t>(static_cast<std::size_t>(layout_.coordinates) * col_stride_, 1));
  col_x_ = device_.allocate(none.size() * sizeof(T));
  device_.upload(col_x_, none.data(), none.size() * sizeof(T));
  if (weights_by_address(layout_, sizeof(T) == 4)) {
    weights_on_device_ = device_.allocate(weights_.size() * sizeof(T));
    device_.upload(weights_on_device_, weights_.data(), weights_.size() * sizeof(T));
  }
  device_.synchronize();
}

template <class T>
void Engine<T>::with_columns(int columns, const std::function<void(int)>& run) {
  for (;; columns = (columns + 1) / 2) {
    try {
      return run(columns);
    } catch (const OutOfDeviceMemory& error) {
      if (columns > 1) continue;
      throw OutOfDeviceMemory(fmt::format("{}, even for one right-hand side at a time", error.what()),
                              Remedy::use_processor);
    }
  }
}

template <class T>
const typename Engine<T>::Ready& Engine<T>::ready(Task task, int columns, int first_theta, int last_theta) {
  Ready& entry = ready_[{static_cast<int>(task), columns, first_theta}];
  if (entry.kernel == nullptr) {
    Specification asked;
    asked.task = task;
    asked.single = sizeof(T) == 4;
    asked.columns = columns;
    asked.by_products = by_products_;
    asked.first_theta = first_theta;
    asked.last_theta = last_theta;
    entry.specification = specified(program_, asked, device_.description().capability, tuning_);
    entry.kernel = &device_.kernel(write_source(program_, entry.specification));
  }
  return entry;
}

template <class T>
typename Engine<T>::Grid Engine<T>::plan(const LoadedKernel& kernel, const Specification& s, int results) const {
  const auto rows_per_block = static_cast<std::size_t>(threads_per_block * s.rows);
  const auto tile = static_cast<std::size_t>(s.tile);
  const std::size_t row_blocks = (rows_ + rows_per_block - 1) / rows_per_block;
  const std::size_t tiles = (cols_ + tile - 1) / tile;
  std::size_t most = std::min<std::size_t>(tiles, 4096);
  if (results > 0) {
    most = std::clamp<std::size_t>(split_bytes / (static_cast<std::size_t>(results) * out_stride_ * sizeof(double)), 1,
                                   most);
  }
  const double wave = std::max(1, device_.description().multiprocessors * kernel.blocks_per_multiprocessor);
  Grid best;
  double best_time = std::numeric_limits<double>::infinity();
  for (std::size_t wanted = 1; wanted <= most; ++wanted) {
    const std::size_t chunk = (tiles + wanted - 1) / wanted, splits = (tiles + chunk - 1) / chunk;
    // Blocks run in waves that fill the device; the last wave takes as long as the others.
    const double waves = std::ceil(static_cast<double>(row_blocks * splits) / wave);
    const double time = waves * (static_cast<double>(chunk) + tiles_of_overhead);
    if (time >= 0.995 * best_time) continue;
    best_time = time;
    best = {static_cast<unsigned>(row_blocks), static_cast<unsigned>(splits), static_cast<int>(chunk * tile)};
  }
  return best;
}

template <class T>
LaunchArguments Engine<T>::arguments(const Grid& grid, const Specification& s) const {
  LaunchArguments a;
  a.col_x = col_x_.address();
  a.row_x = symmetric_ ? col_x_.address() : rows_of_another_ != 0 ? rows_of_another_ : row_x_.address();
  a.row_stride = static_cast<long long>(row_stride_);
  a.col_stride = static_cast<long long>(col_stride_);
  a.out_stride = static_cast<long long>(out_stride_);
  a.rows = static_cast<int>(rows_);
  a.cols = static_cast<int>(padded(cols_, static_cast<std::size_t>(s.tile)));
  a.chunk = grid.chunk;
  return a;
}

template <class T>
void Engine<T>::launch(const LoadedKernel& kernel, const Grid& grid, const LaunchArguments& arguments) {
  std::vector<std::byte> packed =
      weights_by_address(layout_, sizeof(T) == 4)
          ? pack_arguments(arguments, std::vector<unsigned long long>{weights_on_device_.address()})
          : pack_arguments(arguments, weights_);
  void* parameters[] = {packed.data()};
  device_.launch(kernel.product, grid.row_blocks, grid.splits, parameters);
}

template <class T>
void Engine<T>::add_splits(const LoadedKernel& kernel, const Grid& grid, Address out, std::size_t numbers) {
  if (grid.splits <= 1) return;
  auto count = static_cast<long long>(numbers), split_stride = count;
  int splits = static_cast<int>(grid.splits);
  void* parameters[] = {&out, &count, &split_stride, &splits};
  device_.launch(kernel.reduce, static_cast<unsigned>((count + threads_per_block - 1) / threads_per_block), 1,
                 parameters);
}

template <class T>
void Engine<T>::convert(ConstView v, Index first, Index count, int width, std::size_t stride, T* out) const {
  const auto rows = static_cast<std::size_t>(v.rows());
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int c = 0; c < width; ++c) {
    T* to = out + static_cast<std::size_t>(c) * stride;
    std::size_t filled = 0;
    if (c < count) {
      const double* from = v.col(first + c).data();
      for (; filled < rows; ++filled) to[filled] = static_cast<T>(from[filled]);
    }
    std::fill(to + filled, to + stride, T(0));
  }
}

template <class T>
void Engine<T>::columns_product(const Ready& ready, ConstView v, View result) {
  const Finished finished(device_);
  const Specification& s = ready.specification;
  const LoadedKernel& kernel = *ready.kernel;
  const int outputs = s.task == Task::derivatives ? s.thetas() : 1;
  const int results = outputs * s.columns;
  const Grid grid = plan(kernel, s, results);
  const std::size_t v_bytes = static_cast<std::size_t>(s.columns) * col_stride_ * sizeof(T);
  const std::size_t result_numbers = static_cast<std::size_t>(results) * out_stride_;
  const std::size_t out_bytes = result_numbers * sizeof(double) * grid.splits;
  const Index passes = (v.cols() + s.columns - 1) / s.columns;
  std::array<std::optional<Slot>, 2> slots;
  for (Index i = 0; i < std::min<Index>(passes, 2); ++i) {
    slots[static_cast<std::size_t>(i)].emplace(device_, v_bytes, out_bytes, result_numbers * sizeof(double));
  }

  const auto start = [&](Slot& slot, Index first) {
    slot.first = first;
    slot.count = std::min<Index>(s.columns, v.cols() - first);
    T* staged = static_cast<T*>(slot.host_v.host());
    convert(v, first, slot.count, s.columns, col_stride_, staged);
    device_.upload(slot.v, staged, v_bytes);
    LaunchArguments a = arguments(grid, s);
    a.v = slot.v.address();
    a.out = slot.out.address();
    a.split_stride = static_cast<long long>(result_numbers);
    slot.start.set();
    launch(kernel, grid, a);
    add_splits(kernel, grid, slot.out.address(), result_numbers);
    slot.end.set();
    device_.download(slot.host_out.host(), slot.out, result_numbers * sizeof(double));
    slot.done.set();
  };
  const auto finish = [&](Slot& slot) {
    slot.done.wait();
    kernel_seconds_ += slot.end.seconds_since(slot.start);
    const double* from = static_cast<const double*>(slot.host_out.host());
    const auto columns = static_cast<int>(slot.count) * outputs;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int i = 0; i < columns; ++i) {
      // Column t · columns + c of the device is derivative t of right-hand side first + c.
      const Index t = i / slot.count, c = i % slot.count;
      const double* column = from + static_cast<std::size_t>(t * s.columns + c) * out_stride_;
      std::copy_n(column, rows_, result.col((s.first_theta + t) * v.cols() + slot.first + c).data());
    }
  };
  for (Index pass = 0; pass < passes; ++pass) {
    start(*slots[static_cast<std::size_t>(pass % 2)], pass * s.columns);
    if (pass > 0) finish(*slots[static_cast<std::size_t>((pass - 1) % 2)]);
  }
  finish(*slots[static_cast<std::size_t>((passes - 1) % 2)]);
}

template <class T>
void Engine<T>::apply(ConstView v, View y) {
  if (cols_ == 0) y.setZero();
  if (rows_ == 0 || cols_ == 0) return;
  const auto held = device_.lock();
  full_passes_first(v.cols(), widest(Task::apply, sizeof(T) == 4, 1), [&](Index first, Index count, int width) {
    with_columns(width, [&](int columns) {
      columns_product(ready(Task::apply, columns, 0, 0), v.middleCols(first, count), y.middleCols(first, count));
    });
  });
}

template <class T>
void Engine<T>::apply_resident(Index columns, const std::function<void(const Block&)>& fill,
                               const std::function<void(const Block&)>& take) {
  full_passes_first(columns, widest(Task::apply, sizeof(T) == 4, 1), [&](Index begin, Index part, int most) {
    with_columns(most, [&](int wanted) { resident_passes(begin, begin + part, wanted, fill, take); });
  });
}

template <class T>
void Engine<T>::resident_passes(Index begin, Index end, int columns, const std::function<void(const Block&)>& fill,
                                const std::function<void(const Block&)>& take) {
  const Ready& made = ready(Task::apply, columns, 0, 0);
  const int width = made.specification.columns;
  const Grid grid = plan(*made.kernel, made.specification, width);
  const std::size_t numbers = static_cast<std::size_t>(width) * out_stride_;
  // A buffer of the device can be reused at once, because later work is queued behind the current work.
  const Buffer v = device_.allocate(static_cast<std::size_t>(width) * col_stride_ * sizeof(T)),
               out = device_.allocate(numbers * sizeof(double) * grid.splits);
  for (Index first = begin; first < end; first += width) {
    const Index count = std::min<Index>(width, end - first);
    fill({v.address(), static_cast<long long>(col_stride_), first, count, width});
    LaunchArguments a = arguments(grid, made.specification);
    a.v = v.address();
    a.out = out.address();
    a.split_stride = static_cast<long long>(numbers);
    launch(*made.kernel, grid, a);
    add_splits(*made.kernel, grid, out.address(), numbers);
    take({out.address(), static_cast<long long>(out_stride_), first, count, width});
  }
}

template <class T>
void Engine<T>::derivatives(ConstView v, View j) {
  if (cols_ == 0) j.setZero();
  if (rows_ == 0 || cols_ == 0) return;
  const auto held = device_.lock();
  for (int first = 0; first < program_.parameters; first += most_thetas) {
    const int last = std::min(first + most_thetas, program_.parameters);
    with_columns(balanced(v.cols(), widest(Task::derivatives, sizeof(T) == 4, last - first)),
                 [&](int columns) { columns_product(ready(Task::derivatives, columns, first, last), v, j); });
  }
}

template <class T>
void Engine<T>::contract_pass(const Ready& ready, ConstView u, ConstView v, VectorView g) {
  const Finished finished(device_);
  const Specification& s = ready.specification;
  const LoadedKernel& kernel = *ready.kernel;
  const Grid grid = plan(kernel, s, 0);
  const std::size_t v_numbers = static_cast<std::size_t>(s.columns) * col_stride_;
  const std::size_t u_numbers = static_cast<std::size_t>(s.columns) * row_stride_;
  const std::size_t per_split = static_cast<std::size_t>(s.thetas()) * grid.row_blocks;
  const std::size_t result_bytes = per_split * grid.splits * sizeof(double);
  const Buffer host_v = device_.allocate_host(v_numbers * sizeof(T)),
               host_u = device_.allocate_host(u_numbers * sizeof(T));
  const Buffer host_out = device_.allocate_host(result_bytes);
  const Buffer device_v = device_.allocate(v_numbers * sizeof(T)), device_u = device_.allocate(u_numbers * sizeof(T));
  const Buffer out = device_.allocate(result_bytes);
  Device::Mark start(device_), end(device_);
  for (Index first = 0; first < v.cols(); first += s.columns) {
    const Index count = std::min<Index>(s.columns, v.cols() - first);
    convert(v, first, count, s.columns, col_stride_, static_cast<T*>(host_v.host()));
    convert(u, first, count, s.columns, row_stride_, static_cast<T*>(host_u.host()));
    device_.upload(device_v, host_v.host(), v_numbers * sizeof(T));
    device_.upload(device_u, host_u.host(), u_numbers * sizeof(T));
    LaunchArguments a = arguments(grid, s);
    a.u = device_u.address();
    a.v = device_v.address();
    a.out = out.address();
    a.split_stride = static_cast<long long>(per_split);
    start.set();
    launch(kernel, grid, a);
    end.set();
    device_.download(host_out.host(), out, result_bytes);
    device_.synchronize();
    kernel_seconds_ += end.seconds_since(start);
    // The partial sums of the blocks are added in order.
    const double* partial = static_cast<const double*>(host_out.host());
    for (std::size_t b = 0; b < static_cast<std::size_t>(grid.row_blocks) * grid.splits; ++b) {
      for (int t = 0; t < s.thetas(); ++t) g(s.first_theta + t) += *partial++;
    }
  }
}

template <class T>
void Engine<T>::contract(ConstView u, ConstView v, VectorView g) {
  g.setZero();
  if (rows_ == 0 || cols_ == 0) return;
  const auto held = device_.lock();
  for (int first = 0; first < program_.parameters; first += most_thetas) {
    const int last = std::min(first + most_thetas, program_.parameters);
    with_columns(balanced(v.cols(), widest(Task::contract, sizeof(T) == 4, 1)), [&](int columns) {
      g.segment(first, last - first).setZero();
      contract_pass(ready(Task::contract, columns, first, last), u, v, g);
    });
  }
}

template class Engine<float>;
template class Engine<double>;

}  // namespace gpcv::cuda
