#include "backends/cuda/space/device_vectors.hpp"

#include <utility>
#include <vector>

#include "core/pieces.hpp"

namespace gpcv::cuda {
namespace {

template <class T>
class DeviceVectors final : public CgVectors {
 public:
  /// The caller locks the device. Throws OutOfDeviceMemory.
  DeviceVectors(Engine<T>& engine, std::shared_ptr<const FoldBuffers> folds, std::shared_ptr<const DeviceFactor> factor,
                Index columns)
      : engine_(engine),
        folds_(std::move(folds)),
        device_(folds_->device),
        factor_(std::move(factor)),
        rows_(folds_->rows),
        x_(device_.allocate(bytes_of(rows_, columns))),
        r_(device_.allocate(bytes_of(rows_, columns))),
        p_(device_.allocate(bytes_of(rows_, columns))),
        q_(device_.allocate(bytes_of(rows_, columns))),
        sums_(folds_->kernels.room_for_sums(rows_, columns)),
        numbers_(device_.allocate(bytes_of(columns, 1))),
        systems_(device_.allocate(static_cast<std::size_t>(columns) * sizeof(int))),
        places_(device_.allocate(static_cast<std::size_t>(columns) * sizeof(int))) {
    if (factor_) workspace_ = factor_->workspace(columns);
  }

  Vector start(ConstView r, std::span<const int> system, View x, std::span<const Index> target) override {
    const auto held = device_.lock();
    target_.assign(target.begin(), target.end());
    host_x_ = x.data();
    host_stride_ = x.outerStride();
    system_.assign(system.begin(), system.end());
    place_.resize(system.size());
    for (std::size_t c = 0; c < place_.size(); ++c) place_[c] = static_cast<int>(c);
    upload_lists();
    const Matrix packed = r;
    device_.upload(r_, packed.data(), bytes_of(rows_, active()));
    run(VectorTask::zero, {.y = x_.address()});
    Vector rz = preconditioned();
    run(VectorTask::copy, {.a = q_.address(), .y = p_.address()});
    return rz;
  }

  Vector multiply() override {
    const auto held = device_.lock();
    engine_.apply_resident(
        active(),
        [&](const typename Engine<T>::Block& v) {
          VectorArguments a{.a = offset(p_, v.first * rows_),
                            .y = v.address,
                            .rows = rows_,
                            .a_stride = rows_,
                            .out_stride = v.stride};
          a.columns = static_cast<int>(v.count);
          a.single = sizeof(T) == 4 ? 1 : 0;
          folds_->kernels.run(VectorTask::narrow, a, v.stride, v.width);
        },
        [&](const typename Engine<T>::Block& y) {
          // q = M_k K p + D p; p is zero wherever M_k is zero
          VectorArguments a{.a = y.address,
                            .b = offset(p_, y.first * rows_),
                            .y = offset(q_, y.first * rows_),
                            .noise = folds_->noise.address(),
                            .training = folds_->training.address(),
                            .system = systems_.address() + static_cast<Address>(y.first) * sizeof(int),
                            .sums = offset(sums_, y.first),
                            .rows = rows_,
                            .a_stride = y.stride,
                            .stride = rows_,
                            .out_stride = rows_};
          a.sum_columns = static_cast<int>(active());
          folds_->kernels.run(VectorTask::multiplied, a, rows_, y.count);
        });
    return folds_->kernels.sums(sums_, rows_, active(), 1);
  }

  Norms advance(const Vector& alpha) override {
    const auto held = device_.lock();
    upload_numbers(alpha);
    run(VectorTask::advance, {.a = p_.address(),
                              .b = q_.address(),
                              .x = x_.address(),
                              .y = r_.address(),
                              .index = places_.address(),
                              .factor = numbers_.address(),
                              .sums = sums_.address()});
    const Vector both = folds_->kernels.sums(sums_, rows_, active(), 2);
    return {both.head(active()), both.tail(active())};
  }

  Vector precondition() override {
    const auto held = device_.lock();
    return preconditioned();
  }

  void turn(const Vector& beta) override {
    const auto held = device_.lock();
    upload_numbers(beta);
    run(VectorTask::turn, {.a = q_.address(), .y = p_.address(), .factor = numbers_.address()});
  }

  void keep(const std::vector<Index>& columns) override {
    const auto held = device_.lock();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto to = static_cast<Index>(i), from = columns[i];
      if (to == from) continue;
      for (const Buffer* block : {&r_, &p_, &q_}) {
        folds_->kernels.run(VectorTask::copy,
                            {.a = offset(*block, from * rows_),
                             .y = offset(*block, to * rows_),
                             .rows = rows_,
                             .a_stride = rows_,
                             .out_stride = rows_},
                            rows_, 1);
      }
      system_[i] = system_[static_cast<std::size_t>(from)];
      place_[i] = place_[static_cast<std::size_t>(from)];
    }
    system_.resize(columns.size());
    place_.resize(columns.size());
    upload_lists();
  }

  void finish() override {
    Matrix correction(rows_, static_cast<Index>(target_.size()));
    {
      const auto held = device_.lock();
      device_.download(correction.data(), x_, bytes_of(rows_, correction.cols()));
      device_.synchronize();
    }
    for (Index c = 0; c < correction.cols(); ++c) {
      Eigen::Map<Vector>(host_x_ + target_[static_cast<std::size_t>(c)] * host_stride_, rows_) += correction.col(c);
    }
  }

 private:
  Index active() const { return static_cast<Index>(system_.size()); }

  /// Runs the task on all rows of all columns of the batch.
  void run(VectorTask task, VectorArguments a) const {
    a.rows = a.a_stride = a.stride = a.out_stride = rows_;
    a.columns = a.sum_columns = static_cast<int>(active());
    folds_->kernels.run(task, a, rows_, active());
  }

  /// z = M r, stored in q, which is unused between a step and the next product; returns rᵀz.
  Vector preconditioned() {
    if (factor_) {
      factor_->apply(r_.address(), system_, systems_.address(), q_.address(), sums_.address(), workspace_);
    } else {
      run(VectorTask::corrected, {.a = r_.address(), .y = q_.address(), .sums = sums_.address()});
    }
    return folds_->kernels.sums(sums_, rows_, active(), 1);
  }

  void upload_numbers(const Vector& numbers) {
    device_.upload(numbers_, numbers.data(), static_cast<std::size_t>(numbers.size()) * sizeof(double));
  }
  void upload_lists() {
    device_.upload(systems_, system_.data(), system_.size() * sizeof(int));
    device_.upload(places_, place_.data(), place_.size() * sizeof(int));
    device_.synchronize();
  }

  Engine<T>& engine_;
  std::shared_ptr<const FoldBuffers> folds_;
  Device& device_;
  std::shared_ptr<const DeviceFactor> factor_;
  Index rows_;
  Buffer x_, r_, p_, q_;  ///< x: the accumulated correction
  Buffer sums_, numbers_, systems_, places_;
  DeviceFactor::Workspace workspace_;
  std::vector<int> system_, place_;  ///< by column of the batch: its system, its column of the correction
  std::vector<Index> target_;        ///< by column of the correction: the column of the host's x
  double* host_x_ = nullptr;
  Index host_stride_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<CgVectors> device_vectors(Engine<T>& engine, std::shared_ptr<const FoldBuffers> folds,
                                          std::shared_ptr<const DeviceFactor> factor, Index columns) {
  return std::make_unique<DeviceVectors<T>>(engine, std::move(folds), std::move(factor), columns);
}

template std::unique_ptr<CgVectors> device_vectors<float>(Engine<float>&, std::shared_ptr<const FoldBuffers>,
                                                          std::shared_ptr<const DeviceFactor>, Index);
template std::unique_ptr<CgVectors> device_vectors<double>(Engine<double>&, std::shared_ptr<const FoldBuffers>,
                                                           std::shared_ptr<const DeviceFactor>, Index);

}  // namespace gpcv::cuda
