/// Zero-initialised storage aligned for any vector width.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace gpcv::simd {

template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    data_ = hwy::AllocateAligned<T>(size);
    if (!data_) throw std::bad_alloc();
    std::fill_n(data_.get(), size, T(0));
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  hwy::AlignedFreeUniquePtr<T[]> data_;
  std::size_t size_ = 0;
};

/// The least number of zeros at the end of an array: a sweep may run past the last point and adds nothing there.
constexpr std::size_t padding = 64;

/// The distance between columns of a padded array of n rows. An odd number of 64-byte lines keeps adjacent columns out
/// of the same cache sets.
template <class T>
std::size_t padded_stride(std::size_t n) {
  constexpr std::size_t line = 64 / sizeof(T);
  const std::size_t lines = (n + padding + line - 1) / line;
  return (lines | 1) * line;
}

}  // namespace gpcv::simd
