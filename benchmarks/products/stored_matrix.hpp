/// The baseline of a kernel product: the same product with a stored matrix.
#pragma once

#include <cstddef>
#include <vector>

namespace gpcv {

template <class T>
class StoredMatrix {
 public:
  /// A matrix of n × n random entries: a product reads n² · sizeof(T) bytes from DRAM.
  explicit StoredMatrix(std::size_t n);

  /// Multiplies one column, by Eigen on one thread.
  void multiply_by_eigen(std::size_t column);
  /// Multiplies the first `columns` columns, by BLAS on `threads` threads.
  void multiply_by_blas(std::size_t columns, int threads);

  static constexpr std::size_t most_columns = 48;
  T first_result() const { return y_[0]; }

 private:
  std::size_t n_;
  std::vector<T> k_, v_, y_;
};

extern template class StoredMatrix<float>;
extern template class StoredMatrix<double>;

}  // namespace gpcv
