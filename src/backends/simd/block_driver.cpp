#include "backends/simd/block_driver.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "backends/simd/aligned_buffer.hpp"
#include "backends/simd/block_sums.hpp"
#include "backends/simd/flush_denormals.hpp"
#include "backends/simd/program/schedule.hpp"
#include "backends/simd/tiles/tile_kernels.hpp"
#include "core/exact_sum.hpp"

namespace gpcv::simd {
namespace {

/// The numbers of a value tile: 64 KiB, 16 rows of 1024 floats. Tiles of 16 and 32 KiB are as fast with one column and
/// 4 % slower with 48.
template <class T>
constexpr std::size_t value_tile_size = 64 * 1024 / sizeof(T);
/// The bytes of all tiles of a derivative pass together: with 256 KiB one column of derivatives is 5–20 % slower.
constexpr std::size_t gradient_tile_bytes = 64 * 1024;
/// The fewest numbers of a tile: 32 × 64.
constexpr std::size_t smallest_tile = 2048;

/// The bytes of right-hand sides per point in one pass over K. More columns would make the blocks small: 9 · 48 columns
/// of derivatives take 20 % longer in one pass than in two, 9 · 96 twice as long.
constexpr std::size_t bytes_per_point = 1024;
template <class T>
Index columns_per_pass(Index results_per_column) {
  const auto fitting = static_cast<Index>(bytes_per_point / sizeof(T)) / (results_per_column + 1);
  return std::max<Index>(fitting, 16);
}

template <class T>
struct ConvertedColumns {
  explicit ConvertedColumns(ConstView v)
      : stride(padded_stride<T>(static_cast<std::size_t>(v.rows()))),
        count(static_cast<std::size_t>(v.cols())),
        buffer(stride * count) {
    for (Index c = 0; c < v.cols(); ++c) {
      T* to = buffer.data() + static_cast<std::size_t>(c) * stride;
      for (Index i = 0; i < v.rows(); ++i) to[i] = static_cast<T>(v(i, c));
    }
  }
  Columns<T> view() const { return {buffer.data(), stride, count}; }

  std::size_t stride, count;
  AlignedBuffer<T> buffer;
};

/// The working memory of one thread.
template <class T>
class ThreadMemory {
 public:
  ThreadMemory(std::size_t tiles, std::size_t tile_size, std::size_t block_size, std::size_t columns, bool mirrored)
      : tile_size_(tile_size),
        sum_stride_(padded_stride<T>(block_size)),
        tiles_(tiles * tile_size),
        row_sums_(sum_stride_ * columns),
        col_sums_(mirrored ? sum_stride_ * columns : 0) {}

  Workspace<T> view(double* gradient = nullptr) {
    return {tiles_.data(), tile_size_, row_sums_.data(), col_sums_.data(), sum_stride_, gradient};
  }
  void clear_sums() {
    std::fill_n(row_sums_.data(), row_sums_.size(), T(0));
    std::fill_n(col_sums_.data(), col_sums_.size(), T(0));
  }
  void add_sums(const Block& block, BlockSums& result) const {
    for (Index c = 0; c < result.columns(); ++c) {
      const std::size_t at = static_cast<std::size_t>(c) * sum_stride_;
      result.add(c, block.row, row_sums_.data() + at, block.rows);
      if (block.part != Block::Part::rectangle) result.add(c, block.col, col_sums_.data() + at, block.cols);
    }
  }

 private:
  std::size_t tile_size_, sum_stride_;
  AlignedBuffer<T> tiles_, row_sums_, col_sums_;
};

template <class T>
std::vector<ThreadMemory<T>> memory_of_threads(int threads, std::size_t tiles, std::size_t tile_size,
                                               const Schedule& schedule, std::size_t columns, bool mirrored) {
  std::vector<ThreadMemory<T>> memory;
  for (int t = 0; t < threads; ++t) memory.emplace_back(tiles, tile_size, schedule.block_size, columns, mirrored);
  return memory;
}

/// Calls run(task number, block, memory) for every block; tasks are numbered consecutively over all rounds.
template <class Memory, class Run>
void run_schedule(const Schedule& schedule, std::vector<Memory>& memory, const Run& run) {
  const int threads = static_cast<int>(memory.size());
#pragma omp parallel num_threads(threads)
  {
    const FlushDenormals guard;
    Memory& own = memory[static_cast<std::size_t>(omp_get_thread_num())];
    std::size_t first_task = 0;
    for (const Round& round : schedule.rounds) {
      // The result does not depend on the thread that runs a task, so the next free thread takes it.
#pragma omp for schedule(dynamic, 1)
      for (std::size_t t = 0; t < round.size(); ++t) {
        for (const Block& block : round[t]) run(first_task + t, block, own);
      }
      first_task += round.size();
    }
  }
}

/// Calls run(block, memory) for all blocks or, with a communicator, for those of this rank; the sums of complete rows
/// are then communicated while the next rows are computed.
template <class T, class Run>
void run_shared(const Schedule& all, const Communicator* communicator, std::vector<ThreadMemory<T>>& memory,
                BlockSums& result, const Run& run) {
  if (communicator == nullptr) {
    run_schedule(all, memory, [&](std::size_t, const Block& block, ThreadMemory<T>& own) { run(block, own); });
    result.finish(nullptr);
    return;
  }
  for (const Phase& phase : in_phases(part_of(all, communicator->rank(), communicator->size()), result.rows())) {
    run_schedule(phase.schedule, memory, [&](std::size_t, const Block& block, ThreadMemory<T>& own) {
      run(block, own);
      if (omp_get_thread_num() == 0) communicator->advance();  // only the calling thread communicates
    });
    if (phase.end > phase.begin) result.begin_sharing(*communicator, phase.begin, phase.end);
  }
  result.finish(communicator);
}

Schedule schedule_for(std::size_t rows, std::size_t cols, bool symmetric, std::size_t bytes_per_row, int threads) {
  return symmetric ? schedule_symmetric(rows, bytes_per_row, threads)
                   : schedule_rectangle(rows, cols, bytes_per_row, threads);
}

/// The parts of the zeros within columns [first, first + count), with columns counted from `first`.
std::vector<ZeroRows> within_columns(std::span<const ZeroRows> zeros, Index first, Index count) {
  std::vector<ZeroRows> out;
  for (ZeroRows z : zeros) {
    z.first_column = std::clamp<Index>(z.first_column - first, 0, count);
    z.last_column = std::clamp<Index>(z.last_column - first, 0, count);
    if (z.first_column < z.last_column) out.push_back(z);
  }
  return out;
}

/// The longest range of columns that are zero at all points [first, first + count).
ColumnRange vanishing(const std::vector<ZeroRows>& zeros, std::size_t first, std::size_t count) {
  ColumnRange best;
  for (const ZeroRows& z : zeros) {
    const auto begin = static_cast<std::size_t>(z.first_column), end = static_cast<std::size_t>(z.last_column);
    const bool covers =
        static_cast<std::size_t>(z.first_row) <= first && first + count <= static_cast<std::size_t>(z.last_row);
    if (covers && end - begin > best.end - best.begin) best = {begin, end};
  }
  return best;
}

template <class T>
std::size_t gradient_tile_size(std::size_t tiles) {
  const std::size_t fitting = gradient_tile_bytes / sizeof(T) / tiles;
  return std::clamp(fitting / smallest_tile * smallest_tile, smallest_tile, value_tile_size<T>);
}

template <class T>
GradientJob<T> gradient_job(const PreparedProgram<T>& prepared, const GradientPlan& plan) {
  GradientJob<T> job;
  job.leaves = prepared.leaves();
  job.steps = plan.steps.data();
  job.step_count = plan.steps.size();
  job.plan_tiles = plan.tiles;
  job.seed = plan.seed;
  return job;
}

/// The sum of the partial gradients of all blocks, in any order.
template <class T>
void run_contraction(const GradientJob<T>& job, const Schedule& schedule, int threads, const Communicator* communicator,
                     VectorView g) {
  const auto tiles = static_cast<std::size_t>(job.plan_tiles + gradient_scratch_tiles);
  Schedule own = without_rounds(schedule);
  const auto blocks = static_cast<double>(own.rounds.front().size());
  if (communicator != nullptr) own = part_of(own, communicator->rank(), communicator->size());
  const std::size_t tasks = own.rounds.empty() ? 0 : own.rounds.front().size();
  auto memory = memory_of_threads<T>(threads, tiles, gradient_tile_size<T>(tiles), own, 0, false);
  Matrix partial = Matrix::Zero(g.size(), static_cast<Index>(tasks));
  run_schedule(own, memory, [&](std::size_t task, const Block& block, ThreadMemory<T>& own_memory) {
    contract_block(job, block, own_memory.view(partial.col(static_cast<Index>(task)).data()));
  });
  double largest = partial.size() > 0 ? partial.cwiseAbs().maxCoeff() : 0;
  if (communicator != nullptr) largest = communicator->maximum(largest);
  const ExactSum exact(largest * blocks);
  Matrix sums = Matrix::Zero(g.size(), 2);
  for (Index t = 0; t < partial.cols(); ++t) {
    exact.add(partial.col(t).data(), static_cast<std::size_t>(g.size()), sums.col(0).data(), sums.col(1).data());
  }
  if (communicator != nullptr) communicator->sum({sums.data(), static_cast<std::size_t>(sums.size())});
  g = sums.col(0) + sums.col(1);
}

/// The bounds k_max Σ_j |v_j| of every column, with a margin for rounding.
std::vector<double> bounds_of(ConstView v, double largest) {
  std::vector<double> bounds;
  for (Index c = 0; c < v.cols(); ++c) bounds.push_back(2 * largest * v.col(c).lpNorm<1>());
  return bounds;
}

/// The margin for derivatives, which may exceed the kernel: ∂k/∂log p of a periodic kernel grows with the number of
/// periods.
constexpr double derivative_margin = 1 << 24;
/// The number of pairs below which communication with other ranks costs more than computing alone.
constexpr double fewest_shared_pairs = 200'000;

}  // namespace

template <class T>
BlockDriver<T>::BlockDriver(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric,
                            const Workers& workers, double largest)
    : prepared_(program, x1, x2, symmetric),
      values_(plan_values(program)),
      columns_plan_(plan_gradients(program, false)),
      sums_plan_(plan_gradients(program, true)),
      symmetric_(symmetric),
      threads_(std::max(workers.threads, 1)),
      communicator_(workers.communicator),
      largest_(largest) {}

template <class T>
const Communicator* BlockDriver<T>::worthwhile_ranks() const {
  const double pairs = static_cast<double>(prepared_.rows()) * static_cast<double>(prepared_.cols());
  return shared(communicator_) && pairs >= fewest_shared_pairs ? communicator_ : nullptr;
}

template <class T>
void BlockDriver<T>::apply(ConstView v, View y, std::span<const ZeroRows> zeros) const {
  const Index step = columns_per_pass<T>(1);
  for (Index first = 0; first < v.cols(); first += step) {
    const Index count = std::min(step, v.cols() - first);
    apply_pass(v.middleCols(first, count), y.middleCols(first, count), within_columns(zeros, first, count));
  }
}

template <class T>
void BlockDriver<T>::apply_pass(ConstView v, View y, const std::vector<ZeroRows>& zeros) const {
  const ConvertedColumns<T> converted(v);
  // A column with zeros belongs to one of several folds. A single one of them must be rounded like several, so it is
  // not fused.
  const ApplyJob<T> job{prepared_.leaves(), values_.steps.data(), values_.steps.size(),
                        converted.view(),   converted.view(),     zeros.empty()};
  const std::size_t columns = converted.count;
  const Communicator* communicator = worthwhile_ranks();
  const Schedule schedule =
      schedule_for(prepared_.rows(), prepared_.cols(), symmetric_, 2 * columns * sizeof(T), threads_);
  // The rounding errors of single-precision sums of a block exceed the remainder, which is therefore not kept.
  BlockSums result(y, bounds_of(v, largest_), sizeof(T) == sizeof(double));
  auto memory = memory_of_threads<T>(threads_, static_cast<std::size_t>(values_.tiles), value_tile_size<T>, schedule,
                                     columns, symmetric_);
  run_shared(schedule, communicator, memory, result, [&](Block block, ThreadMemory<T>& own) {
    if (!zeros.empty()) {
      block.zero_cols = vanishing(zeros, block.col, block.cols);
      block.zero_rows = symmetric_ ? vanishing(zeros, block.row, block.rows) : ColumnRange{};
      block.unwanted = symmetric_ && zeros.front().unwanted;
      const auto all = [&](const ColumnRange& r) { return r.end - r.begin == columns; };
      if (all(block.zero_cols) && (block.part == Block::Part::rectangle || all(block.zero_rows))) return;
    }
    own.clear_sums();
    apply_block(job, block, own.view());
    own.add_sums(block, result);
  });
}

template <class T>
void BlockDriver<T>::derivatives(ConstView v, View j) const {
  if (j.cols() == 0) return;
  const Index step = columns_per_pass<T>(j.cols() / v.cols());
  for (Index first = 0; first < v.cols(); first += step)
    derivatives_pass(v, first, std::min(step, v.cols() - first), j);
}

template <class T>
void BlockDriver<T>::derivatives_pass(ConstView v, Index first, Index count, View j) const {
  const ConvertedColumns<T> converted(v.middleCols(first, count));
  GradientJob<T> job = gradient_job(prepared_, columns_plan_);
  job.row_v = job.col_v = converted.view();
  const Index columns = count * (j.cols() / v.cols());
  const auto sums = static_cast<std::size_t>(columns);
  const auto tiles = static_cast<std::size_t>(job.plan_tiles + gradient_scratch_tiles);
  const Communicator* communicator = worthwhile_ranks();
  const Schedule schedule =
      schedule_for(prepared_.rows(), prepared_.cols(), symmetric_, (sums + converted.count) * sizeof(T), threads_);
  std::vector<double> bounds;
  const std::vector<double> of_values = bounds_of(v.middleCols(first, count), derivative_margin * largest_);
  for (Index c = 0; c < columns; ++c) bounds.push_back(of_values[static_cast<std::size_t>(c % count)]);
  const bool at_once = count == v.cols();
  Matrix part(at_once ? 0 : j.rows(), at_once ? 0 : columns);
  BlockSums result(at_once ? j : View(part), bounds, true);
  auto memory = memory_of_threads<T>(threads_, tiles, gradient_tile_size<T>(tiles), schedule, sums, symmetric_);
  run_shared(schedule, communicator, memory, result, [&](const Block& block, ThreadMemory<T>& own) {
    own.clear_sums();
    derivative_block(job, block, own.view());
    own.add_sums(block, result);
  });
  // Column c of the pass is right-hand side first + c mod count of parameter c / count.
  for (Index c = 0; c < part.cols(); ++c) j.col(c / count * v.cols() + first + c % count) = part.col(c);
}

template <class T>
void BlockDriver<T>::contract(ConstView u, ConstView v, VectorView g) const {
  g.setZero();
  if (v.cols() == 0 || g.size() == 0) return;
  const ConvertedColumns<T> converted_u(u), converted_v(v);
  GradientJob<T> job = gradient_job(prepared_, sums_plan_);
  job.row_u = job.col_u = converted_u.view();
  job.row_v = job.col_v = converted_v.view();
  const Schedule schedule =
      schedule_for(prepared_.rows(), prepared_.cols(), symmetric_, 2 * converted_v.count * sizeof(T), threads_);
  run_contraction(job, schedule, threads_, worthwhile_ranks(), g);
}

template <class T>
void BlockDriver<T>::contract_dense(ConstView w, VectorView g) const {
  g.setZero();
  if (w.rows() == 0 || g.size() == 0) return;
  GradientJob<T> job = gradient_job(prepared_, sums_plan_);
  job.dense = w.data();
  job.dense_stride = static_cast<std::size_t>(w.outerStride());
  job.dense_size = static_cast<std::size_t>(w.rows());
  run_contraction(job, schedule_symmetric(prepared_.rows(), sizeof(T), threads_), threads_, nullptr, g);
}

template <class T>
void BlockDriver<T>::assemble_transposed(View k_t) const {
  if constexpr (sizeof(T) == sizeof(double)) {
    if (k_t.size() == 0) return;
    ApplyJob<T> job;
    job.leaves = prepared_.leaves();
    job.steps = values_.steps.data();
    job.step_count = values_.steps.size();
    const Schedule schedule = schedule_rectangle(prepared_.rows(), prepared_.cols(), sizeof(T), threads_);
    auto memory =
        memory_of_threads<T>(threads_, static_cast<std::size_t>(values_.tiles), value_tile_size<T>, schedule, 0, false);
    run_schedule(schedule, memory, [&](std::size_t, const Block& block, ThreadMemory<T>& own) {
      copy_block(job, block, own.view(), &k_t(static_cast<Index>(block.col), static_cast<Index>(block.row)),
                 static_cast<std::size_t>(k_t.outerStride()));
    });
  }
}

template class BlockDriver<float>;
template class BlockDriver<double>;

}  // namespace gpcv::simd
