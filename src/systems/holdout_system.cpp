#include "systems/holdout_system.hpp"

#include <vector>

namespace gpcv {
namespace {

/// The options with automatic precision resolved to double: the condition number of Σ is the square of that of C.
ComputeOptions chosen(ComputeOptions options) {
  if (options.precision == Precision::automatic) options.precision = Precision::double_;
  return options;
}

std::vector<int> first_system(Index columns) { return std::vector<int>(static_cast<std::size_t>(columns), 0); }

}  // namespace

Holdout Holdout::of(ConstView x, ConstVectorView y, const Fold& fold) {
  return {x(fold.training, Eigen::all), x(fold.validation, Eigen::all), y(fold.training), y(fold.validation)};
}

HoldoutSystem::HoldoutSystem(const Holdout& data, const KernelProgram& program, double noise,
                             const ComputeOptions& given)
    : data_(data),
      noise_(noise),
      covariance_(FoldSystem::whole(program, data.x_t, Vector::Constant(data.x_t.rows(), noise), chosen(given))) {
  const ComputeOptions options = chosen(given);
  ComputeOptions exact = options;
  exact.precision = Precision::double_;
  predictor_ = make_operator(program, data.x_v, data.x_t, exact);
  transposed_ = make_operator(program, data.x_t, data.x_v, exact);
  if (covariance_.has_fast_arithmetic()) {
    fast_predictor_ = make_operator(program, data.x_v, data.x_t, options);
    fast_transposed_ = make_operator(program, data.x_t, data.x_v, options);
  }
}

Matrix HoldoutSystem::covariance_times(ConstView v, Arithmetic arithmetic) const {
  Matrix y(training(), v.cols());
  covariance_.apply(v, first_system(v.cols()), y, arithmetic);
  return y;
}

Matrix HoldoutSystem::predict(ConstView v, Arithmetic arithmetic) const {
  Matrix y(validation(), v.cols());
  (arithmetic == Arithmetic::fast && fast_predictor_ ? fast_predictor_ : predictor_)->apply(v, y);
  return y;
}

Matrix HoldoutSystem::predict_transposed(ConstView w, Arithmetic arithmetic) const {
  Matrix y(training(), w.cols());
  (arithmetic == Arithmetic::fast && fast_transposed_ ? fast_transposed_ : transposed_)->apply(w, y);
  return y;
}

Vector HoldoutSystem::contract(ConstVectorView u_v, ConstVectorView u_t, ConstVectorView z, bool with_noise) const {
  const Index p = parameters();
  Vector g(p + (with_noise ? 1 : 0)), part(p);
  predictor_->contract(u_v, z, part);
  g.head(p) = part;
  covariance_.kernel(Arithmetic::exact).contract(u_t, z, part);
  g.head(p) += part;
  // ∂C/∂log σ² = σ² I
  if (with_noise) g(p) = noise_ * u_t.dot(z);
  return g;
}

HoldoutVectors HoldoutSystem::derivatives(ConstVectorView z, bool with_noise) const {
  const Index p = parameters(), columns = p + (with_noise ? 1 : 0);
  HoldoutVectors d{Matrix(validation(), columns), Matrix(training(), columns)};
  predictor_->derivatives(z, d.v.leftCols(p));
  covariance_.kernel(Arithmetic::exact).derivatives(z, d.t.leftCols(p));
  if (with_noise) {
    d.v.col(p).setZero();
    d.t.col(p) = noise_ * z;
  }
  return d;
}

void SigmaSystem::apply(ConstView v, std::span<const int>, View y, Arithmetic arithmetic) const {
  // K_VTᵀ(K_VT v) + (ρ/2) C(C v)
  y = holdout_.predict_transposed(holdout_.predict(v, arithmetic), arithmetic);
  y += 0.5 * rho_ * holdout_.covariance_times(holdout_.covariance_times(v, arithmetic), arithmetic);
}

}  // namespace gpcv
