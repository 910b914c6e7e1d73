#include "stored_matrix.hpp"

#include <Eigen/Core>

#include "core/blas_interfaces.hpp"
#include "core/threads.hpp"

namespace gpcv {

template <class T>
StoredMatrix<T>::StoredMatrix(std::size_t n) : n_(n), k_(n * n), v_(n * most_columns), y_(n * most_columns) {
  unsigned state = 1;
  const auto fill = [&](std::vector<T>& x) {
    for (T& value : x) value = static_cast<T>((state = state * 1664525u + 1013904223u) >> 8) * T(0x1p-24);
  };
  fill(k_);
  fill(v_);
}

template <class T>
void StoredMatrix<T>::multiply_by_eigen(std::size_t column) {
  using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  const auto n = static_cast<Eigen::Index>(n_);
  const Eigen::Map<const Dense> k(k_.data(), n, n);
  const Eigen::Map<const Column> v(v_.data() + column * n_, n);
  Eigen::Map<Column>(y_.data(), n).noalias() = k * v;
}

template <class T>
void StoredMatrix<T>::multiply_by_blas(std::size_t columns, int threads) {
  const BlasThreads guard(threads);
  const int n = static_cast<int>(n_), r = static_cast<int>(columns);
  if constexpr (sizeof(T) == 4) {
    cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, r, n, 1, k_.data(), n, v_.data(), n, 0, y_.data(), n);
  } else {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, r, n, 1, k_.data(), n, v_.data(), n, 0, y_.data(), n);
  }
}

template class StoredMatrix<float>;
template class StoredMatrix<double>;

}  // namespace gpcv
