#include "backends/grid/grid_operator.hpp"

#include <algorithm>
#include <unsupported/Eigen/FFT>
#include <utility>

#include "backends/simd/simd_operator.hpp"

namespace gpcv {
namespace {

/// Transforms keep their twiddle factors: computing those takes as long as a transform.
Eigen::FFT<double>& transforms() {
  thread_local Eigen::FFT<double> fft;
  return fft;
}

ComplexVector forward(const ComplexVector& values) {
  ComplexVector result(values.size());
  transforms().fwd(result.data(), values.data(), values.size());
  return result;
}

ComplexVector backward(const ComplexVector& values) {
  ComplexVector result(values.size());
  transforms().inv(result.data(), values.data(), values.size());
  return result;
}

/// The least number ≥ n without prime factors above 5, which transforms are fast for.
Index fast_size(Index n) {
  for (Index size = n;; ++size) {
    Index rest = size;
    for (const Index prime : {2, 3, 5}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return size;
  }
}

/// Whether k(x, x') depends on x − x' alone.
bool is_stationary(const KernelProgram& program) {
  return std::none_of(program.code.begin(), program.code.end(),
                      [](const Instruction& instruction) { return instruction.op == Op::linear; });
}

/// The differences x1 − x2 in the order of a circulant matrix's first column: those of the places 0, 1, …, length1 − 1,
/// then those of the places 1 − length2, …, −1.
Matrix differences_of(const Lattice& lattice) {
  Matrix differences(lattice.length1 + lattice.length2 - 1, 1);
  for (Index i = 0; i < differences.rows(); ++i) {
    const Index place = i < lattice.length1 ? i : i - differences.rows();
    differences(i, 0) = lattice.offset + lattice.spacing * static_cast<double>(place);
  }
  return differences;
}

}  // namespace

std::unique_ptr<GridOperator> GridOperator::make(const KernelProgram& program, ConstView x1, ConstView x2) {
  if (program.inputs != 1 || !is_stationary(program)) return nullptr;
  std::optional<Lattice> lattice = find_lattice(x1.col(0), x2.col(0));
  if (!lattice) return nullptr;
  return std::unique_ptr<GridOperator>(new GridOperator(program, x1.rows(), x2.rows(), std::move(*lattice)));
}

GridOperator::GridOperator(const KernelProgram& program, Index rows, Index cols, Lattice lattice)
    : BackendOperator(rows, cols, program.parameters),
      lattice_(std::move(lattice)),
      size_(
          fast_size(std::max<Index>(2, lattice_.length1 + lattice_.length2 - 1))),  // Eigen transforms no single number
      differences_(std::make_unique<SimdOperator>(program, differences_of(lattice_), Matrix::Zero(1, 1), false,
                                                  Precision::double_, 1)) {
  Matrix values(differences_->rows(), 1);
  differences_->apply(Matrix::Ones(1, 1), values);
  spectrum_ = spectrum_of(values.col(0));
}

/// The transform of the circulant matrix's first column: zeros stand between the positive and the negative places.
ComplexVector GridOperator::spectrum_of(ConstVectorView values) const {
  ComplexVector column = ComplexVector::Zero(size_);
  const Index negative = lattice_.length2 - 1;
  column.head(lattice_.length1).real() = values.head(lattice_.length1);
  column.tail(negative).real() = values.tail(negative);
  return forward(column);
}

void GridOperator::convolve(const ComplexVector& spectrum, ConstView v, View y) const {
  for (Index c = 0; c < v.cols(); c += 2) {
    const bool two = c + 1 < v.cols();
    // The matrix is real, so that the real and the imaginary part are two columns.
    ComplexVector placed = ComplexVector::Zero(size_);
    for (Index j = 0; j < cols(); ++j) {
      placed(lattice_.places2[static_cast<std::size_t>(j)]) += std::complex(v(j, c), two ? v(j, c + 1) : 0.0);
    }
    const ComplexVector product = backward(forward(placed).cwiseProduct(spectrum));
    for (Index i = 0; i < rows(); ++i) {
      const std::complex<double> value = product(lattice_.places1[static_cast<std::size_t>(i)]);
      y(i, c) = value.real();
      if (two) y(i, c + 1) = value.imag();
    }
  }
}

void GridOperator::apply_impl(ConstView v, View y, std::span<const ZeroRows>) const { convolve(spectrum_, v, y); }

Matrix GridOperator::derivative_values() const {
  Matrix values(differences_->rows(), parameters());
  differences_->derivatives(Matrix::Ones(1, 1), values);
  return values;
}

void GridOperator::derivatives_impl(ConstView v, View j) const {
  const Matrix values = derivative_values();
  for (Index t = 0; t < parameters(); ++t) {
    convolve(spectrum_of(values.col(t)), v, j.middleCols(t * v.cols(), v.cols()));
  }
}

/// g_t = Σ_k k_t'(δk) c_k, where c_k = Σ u_i v_j over the pairs with place_i − place_j = k is a correlation.
void GridOperator::contract_impl(ConstView u, ConstView v, VectorView g) const {
  Vector correlation = Vector::Zero(differences_->rows());
  for (Index c = 0; c < u.cols(); ++c) {
    ComplexVector left = ComplexVector::Zero(size_), right = ComplexVector::Zero(size_);
    for (Index i = 0; i < rows(); ++i) left(lattice_.places1[static_cast<std::size_t>(i)]) += u(i, c);
    for (Index j = 0; j < cols(); ++j) right(lattice_.places2[static_cast<std::size_t>(j)]) += v(j, c);
    const ComplexVector both = backward(forward(left).cwiseProduct(forward(right).conjugate()));
    const Index negative = lattice_.length2 - 1;
    correlation.head(lattice_.length1) += both.head(lattice_.length1).real();
    correlation.tail(negative) += both.tail(negative).real();
  }
  g = derivative_values().transpose() * correlation;
}

}  // namespace gpcv
