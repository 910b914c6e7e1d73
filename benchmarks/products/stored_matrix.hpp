/// What a kernel product is compared with: the same product of a matrix that is stored.
#pragma once

#include <cstddef>
#include <vector>

namespace gpcv {

template <class T>
class StoredMatrix {
 public:
  /// n × n random entries: n² · sizeof(T) bytes from DRAM per product.
  explicit StoredMatrix(std::size_t n);

  /// One column, by Eigen on one thread.
  void multiply_by_eigen(std::size_t column);
  /// The first `columns` columns, by OpenBLAS on `threads` threads.
  void multiply_by_openblas(std::size_t columns, int threads);

  static constexpr std::size_t most_columns = 48;
  T first_result() const { return y_[0]; }

 private:
  std::size_t n_;
  std::vector<T> k_, v_, y_;
};

extern template class StoredMatrix<float>;
extern template class StoredMatrix<double>;

}  // namespace gpcv
