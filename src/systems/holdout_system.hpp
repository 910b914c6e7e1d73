/// The operators of one hold-out split at one θ, matrix-free.
#pragma once

#include <memory>

#include "gpcv/folds.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {

/// The rows of one fold: T are the training rows, V the validation rows.
struct Holdout {
  Matrix x_t, x_v;
  Vector y_t, y_v;

  static Holdout of(ConstView x, ConstVectorView y, const Fold& fold);
};

/// One matrix over the validation rows and one over the training rows.
struct HoldoutVectors {
  Matrix v, t;
};

/// The operators C = K_TT + σ²I and K_VT; neither matrix is stored.
class HoldoutSystem {
 public:
  HoldoutSystem(const Holdout& data, const KernelProgram& program, double noise, const ComputeOptions& options);

  Index training() const { return covariance_.rows(); }
  Index validation() const { return data_.x_v.rows(); }
  /// The number p of kernel parameters, without the noise.
  Index parameters() const { return predictor_->parameters(); }
  double noise() const { return noise_; }
  const Holdout& data() const { return data_; }

  /// C as a linear system.
  const FoldSystem& covariance() const { return covariance_; }
  /// C v
  Matrix covariance_times(ConstView v, Arithmetic arithmetic = Arithmetic::exact) const;
  /// K_VT v
  Matrix predict(ConstView v, Arithmetic arithmetic = Arithmetic::exact) const;
  /// K_VTᵀ w
  Matrix predict_transposed(ConstView w, Arithmetic arithmetic = Arithmetic::exact) const;

  /// g_i = u_Vᵀ (∂K_VT/∂log θ_i) z + u_Tᵀ (∂C/∂log θ_i) z; with_noise appends the derivative in log σ².
  Vector contract(ConstVectorView u_v, ConstVectorView u_t, ConstVectorView z, bool with_noise) const;
  /// The columns (∂K_VT/∂log θ_i) z and (∂C/∂log θ_i) z; with_noise appends the derivative in log σ².
  HoldoutVectors derivatives(ConstVectorView z, bool with_noise) const;

 private:
  const Holdout& data_;
  double noise_;
  FoldSystem covariance_;
  std::unique_ptr<KernelOperator> predictor_, transposed_;            ///< K_VT and its transpose, in double
  std::unique_ptr<KernelOperator> fast_predictor_, fast_transposed_;  ///< null if the precision is double
};

/// The system Σ = K_VTᵀK_VT + (ρ/2) C², half the Hessian of the augmented Lagrangian in z. Neither product is formed.
class SigmaSystem final : public LinearSystem {
 public:
  SigmaSystem(const HoldoutSystem& holdout, double rho) : holdout_(holdout), rho_(rho) {}

  Index rows() const override { return holdout_.training(); }
  Index systems() const override { return 1; }
  void apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const override;
  bool has_fast_arithmetic() const override { return holdout_.covariance().has_fast_arithmetic(); }

 private:
  const HoldoutSystem& holdout_;
  double rho_;
};

}  // namespace gpcv
