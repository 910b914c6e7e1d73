#include "backends/cuda/space/device_factor.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "backends/cuda/engine/engine.hpp"
#include "gpcv/error.hpp"

namespace gpcv::cuda {
namespace {

/// A longer run would need a scaled copy of much of F.
constexpr Index rows_at_once = 8192;
/// Columns of F that room is made for at first: most smooth functions need no more.
constexpr Index usual_rank = 512;
/// Columns of a triangle that the host factorises while the device waits.
constexpr Index block = 128;

std::vector<int> as_int(const std::vector<Index>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

DeviceFactor::DeviceFactor(std::shared_ptr<const FoldBuffers> folds, const Blas& blas, const FoldParts& parts,
                           Index most)
    : folds_(std::move(folds)),
      blas_(blas),
      parts_(parts),
      rows_(parts.x.rows()),
      most_(std::max<Index>(most, 1)),
      capacity_(std::min(most_, usual_rank)),
      factor_(folds_->device.allocate(bytes_of(rows_, capacity_))) {}

Matrix DeviceFactor::residual_columns(const std::vector<Index>& pivots) {
  Device& device = folds_->device;
  const auto count = static_cast<Index>(pivots.size());
  if (!whole_) whole_ = std::make_unique<Engine<double>>(parts_.program, parts_.x, parts_.x, true, 1);
  const auto held = device.lock();
  make_room(count);
  const std::vector<int> chosen = as_int(pivots);
  const Buffer index = uploaded(device, chosen.data(), chosen.size());
  kernel_columns(index, count);
  if (done_ > 0) {
    const Buffer pivot_rows = gathered(factor_, done_, index, count);
    // G = K(:, S) − F F(S, :)ᵀ
    blas_.multiply({false, true, rows_, count, done_, -1, factor_.address(), rows_, pivot_rows.address(), count, 1,
                    columns_.address(), rows_});
  }
  const Buffer core = gathered(columns_, count, index, count);
  Matrix out(count, count);
  device.download(out.data(), core, bytes_of(count, count));
  device.synchronize();
  return out;
}

void DeviceFactor::make_room(Index pivots) {
  if (of_pivots_ && pivots <= room_) return;
  room_ = pivots;
  of_pivots_ = std::make_unique<Engine<double>>(*whole_, static_cast<std::size_t>(pivots));
  columns_ = folds_->device.allocate(bytes_of(rows_, pivots));
}

void DeviceFactor::kernel_columns(const Buffer& index, Index count) {
  const VectorKernels& kernels = folds_->kernels;
  const Engine<double>::Coordinates from = whole_->column_points(), to = of_pivots_->column_points();
  kernels.run(VectorTask::gather,
              {.a = from.address,
               .y = to.address,
               .index = index.address(),
               .rows = count,
               .a_stride = from.stride,
               .out_stride = to.stride},
              count, from.count);
  // K(:, S) = K(X, X_S) I
  of_pivots_->apply_resident(
      count,
      [&](const Engine<double>::Block& v) {
        VectorArguments a{.y = v.address, .rows = count, .out_stride = v.stride};
        a.first = static_cast<int>(v.first);
        kernels.run(VectorTask::unit, a, v.stride, v.width);
      },
      [&](const Engine<double>::Block& y) {
        kernels.run(VectorTask::copy,
                    {.a = y.address,
                     .y = offset(columns_, y.first * rows_),
                     .rows = rows_,
                     .a_stride = y.stride,
                     .out_stride = rows_},
                    rows_, y.count);
      });
}

Buffer DeviceFactor::gathered(const Buffer& from, Index columns, const Buffer& index, Index count) const {
  Buffer out = folds_->device.allocate(bytes_of(count, columns));
  folds_->kernels.run(VectorTask::gather,
                      {.a = from.address(),
                       .y = out.address(),
                       .index = index.address(),
                       .rows = count,
                       .a_stride = rows_,
                       .out_stride = count},
                      count, columns);
  return out;
}

Vector DeviceFactor::append(const std::vector<Index>& kept, const Matrix& l) {
  Device& device = folds_->device;
  const auto held = device.lock();
  const auto count = static_cast<Index>(kept.size());
  const std::vector<int> chosen = as_int(kept);
  const Buffer index = uploaded(device, chosen.data(), chosen.size());
  const Buffer triangle = uploaded(device, l.data(), static_cast<std::size_t>(l.size()));
  const Buffer norms = device.allocate(bytes_of(rows_, 1));
  if (done_ + count > capacity_) grow();
  const Address added = offset(factor_, done_ * rows_);
  folds_->kernels.run(VectorTask::copy,
                      {.a = columns_.address(),
                       .y = added,
                       .index = index.address(),
                       .rows = rows_,
                       .a_stride = rows_,
                       .out_stride = rows_},
                      rows_, count);
  blas_.solve_right(rows_, count, triangle.address(), count, added, rows_);
  VectorArguments a{.a = added, .y = norms.address(), .rows = rows_, .a_stride = rows_};
  a.columns = static_cast<int>(count);
  folds_->kernels.run(VectorTask::row_norms, a, rows_, 1);
  Vector squared(rows_);
  device.download(squared.data(), norms, bytes_of(rows_, 1));
  device.synchronize();
  done_ += count;
  return squared;
}

void DeviceFactor::grow() {
  Buffer larger = folds_->device.allocate(bytes_of(rows_, most_));
  folds_->kernels.run(
      VectorTask::copy,
      {.a = factor_.address(), .y = larger.address(), .rows = rows_, .a_stride = rows_, .out_stride = rows_}, rows_,
      done_);
  factor_ = std::move(larger);
  capacity_ = most_;
}

Buffer DeviceFactor::inverse_triangle(const Buffer& s) const {
  Device& device = folds_->device;
  const Index size = done_;
  // Block by block: L_jj on the host, the rows below it and what is left of S on the device.
  for (Index j = 0; j < size; j += block) {
    const Index width = std::min(block, size - j), below = size - j - width;
    const Address at = offset(s, j * size + j);
    const Buffer corner = device.allocate(bytes_of(width, width));
    const auto copy = [&](Address from, Index from_stride, Address to, Index to_stride) {
      folds_->kernels.run(VectorTask::copy,
                          {.a = from, .y = to, .rows = width, .a_stride = from_stride, .out_stride = to_stride}, width,
                          width);
    };
    copy(at, size, corner.address(), width);
    Matrix host(width, width);
    device.download(host.data(), corner, bytes_of(width, width));
    device.synchronize();
    const Eigen::LLT<Matrix> factor(host);
    if (factor.info() != Eigen::Success) {
      throw NumericalError("the preconditioner's small matrix is not positive definite: raise the noise");
    }
    host = factor.matrixL();
    device.upload(corner, host.data(), bytes_of(width, width));
    device.synchronize();
    copy(corner.address(), width, at, size);
    if (below == 0) break;
    const Address under = offset(s, j * size + j + width), rest = offset(s, (j + width) * size + j + width);
    blas_.solve_right(below, width, at, size, under, size);
    blas_.multiply({false, true, below, below, width, -1, under, size, under, size, 1, rest, size});
  }
  Buffer w = device.allocate(bytes_of(size, size));
  VectorArguments unit{.y = w.address(), .rows = size, .out_stride = size};
  unit.columns = static_cast<int>(size);
  folds_->kernels.run(VectorTask::unit, unit, size, size);
  blas_.solve_left(size, size, s.address(), size, w.address(), size);
  return w;
}

void DeviceFactor::complete(Index /*neighbours*/) {
  of_pivots_.reset();
  whole_.reset();
  if (done_ == 0) return;
  Device& device = folds_->device;
  const auto held = device.lock();
  columns_ = {};
  // S_k = I + Σ over runs that fold k trains of F_runᵀ D⁻¹ F_run; rows that train alike share their Gram matrix.
  std::vector<Buffer> s;
  VectorArguments unit{.rows = done_, .out_stride = done_};
  unit.columns = static_cast<int>(done_);
  for (std::size_t k = 0; k < parts_.training.size(); ++k) {
    s.push_back(device.allocate(bytes_of(done_, done_)));
    unit.y = s.back().address();
    folds_->kernels.run(VectorTask::unit, unit, done_, done_);
  }
  {
    const Buffer gram = device.allocate(bytes_of(done_, done_));
    const Buffer scaled = device.allocate(bytes_of(std::min(rows_at_once, rows_), done_));
    for (const auto& [from, to] : equal_runs(parts_.training, rows_, rows_)) {
      for (Index first = from; first < to; first += rows_at_once) {
        const Index count = std::min(rows_at_once, to - first);
        folds_->kernels.run(VectorTask::scale,
                            {.a = offset(factor_, first),
                             .y = scaled.address(),
                             .noise = offset(folds_->noise, first),
                             .rows = count,
                             .a_stride = rows_,
                             .out_stride = count},
                            count, done_);
        blas_.multiply({true, false, done_, done_, count, 1, offset(factor_, first), rows_, scaled.address(), count,
                        first == from ? 0.0 : 1.0, gram.address(), done_});
      }
      for (std::size_t k = 0; k < s.size(); ++k) {
        if (parts_.training[k][static_cast<std::size_t>(from)] == 0) continue;
        folds_->kernels.run(
            VectorTask::add,
            {.a = gram.address(), .y = s[k].address(), .rows = done_, .a_stride = done_, .out_stride = done_}, done_,
            done_);
      }
    }
  }
  for (Buffer& of_fold : s) {
    small_.push_back(inverse_triangle(of_fold));
    of_fold = {};
  }
}

DeviceFactor::Workspace DeviceFactor::workspace(Index columns) const {
  if (done_ == 0) return {};
  return {folds_->device.allocate(bytes_of(done_, columns)), folds_->device.allocate(bytes_of(done_, columns))};
}

void DeviceFactor::apply(Address r, std::span<const int> system, Address systems, Address z, Address sums,
                         const Workspace& workspace) const {
  const VectorKernels& kernels = folds_->kernels;
  const auto columns = static_cast<Index>(system.size());
  VectorArguments corrected{.a = r,
                            .y = z,
                            .noise = folds_->noise.address(),
                            .training = folds_->training.address(),
                            .system = systems,
                            .sums = sums,
                            .rows = rows_,
                            .a_stride = rows_,
                            .stride = rows_,
                            .out_stride = rows_};
  corrected.sum_columns = static_cast<int>(columns);
  if (done_ > 0) {
    const auto& [t, half] = workspace;
    // t = Fᵀ D⁻¹ r, which is zero outside the training rows because r is
    kernels.run(
        VectorTask::scale,
        {.a = r, .y = z, .noise = folds_->noise.address(), .rows = rows_, .a_stride = rows_, .out_stride = rows_},
        rows_, columns);
    blas_.multiply({true, false, done_, columns, rows_, 1, factor_.address(), rows_, z, rows_, 0, t.address(), done_});
    // S_k⁻¹ t = W_kᵀ W_k t, for each run of columns of one fold
    for (Index first = 0; first < columns;) {
      const int fold = system[static_cast<std::size_t>(first)];
      Index last = first + 1;
      while (last < columns && system[static_cast<std::size_t>(last)] == fold) ++last;
      const Address w = small_[static_cast<std::size_t>(fold)].address();
      const Address own = offset(t, first * done_), between = offset(half, first * done_);
      blas_.multiply({false, false, done_, last - first, done_, 1, w, done_, own, done_, 0, between, done_});
      blas_.multiply({true, false, done_, last - first, done_, 1, w, done_, between, done_, 0, own, done_});
      first = last;
    }
    blas_.multiply({false, false, rows_, columns, done_, 1, factor_.address(), rows_, t.address(), done_, 0, z, rows_});
    corrected.b = z;
  }
  // z = D⁻¹ (r − M_k F t)
  kernels.run(VectorTask::corrected, corrected, rows_, columns);
}

void DeviceFactor::apply(ConstView r, std::span<const int> system, View z) const {
  Device& device = folds_->device;
  const auto held = device.lock();
  const Matrix packed = r;
  const Buffer from = uploaded(device, packed.data(), static_cast<std::size_t>(packed.size())),
               systems = uploaded(device, system.data(), system.size());
  const Buffer to = device.allocate(bytes_of(rows_, r.cols()));
  const Buffer sums = folds_->kernels.room_for_sums(rows_, r.cols());
  apply(from.address(), system, systems.address(), to.address(), sums.address(), workspace(r.cols()));
  Matrix out(rows_, r.cols());
  device.download(out.data(), to, bytes_of(rows_, r.cols()));
  device.synchronize();
  z = out;
}

}  // namespace gpcv::cuda
