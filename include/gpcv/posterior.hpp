/// Predictions of a trained Gaussian process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpcv/export.hpp"
#include "gpcv/model.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Mean and variance at each test point, in the target's units.
struct Prediction {
  Vector mean;
  Vector variance;  ///< empty when only the mean was asked for
};

/// How a variance is found. `exact` factorises or, where that does not fit, iterates; `neighbours` conditions each
/// test point on so many training points and is never below exact; `automatic` takes exact where it is affordable.
struct GPCV_EXPORT VarianceMethod {
  enum class Kind { automatic, exact, neighbours } kind = Kind::automatic;
  Index neighbours = 1024;

  /// "auto", "exact", "neighbours:256"
  static VarianceMethod parse(const std::string& text);
  std::string to_string() const;
};

/// What is predicted of each test row.
struct PredictOptions {
  bool latent = false;  ///< variance of the function alone, without the noise
  bool mean_only = false;
  VarianceMethod variance = {};
  Index expected_rows = 0;  ///< test rows in all, when they come in parts: decides what `automatic` affords
  Vector noise = {};        ///< standard deviation of each test row's noise; empty: that of a typical training row
};

/// What one summand of the kernel contributes; their means and the target's own mean add up to the prediction.
struct Component {
  std::string name;
  Prediction prediction;
};

/// Posterior of a model, conditioned on its training data once and asked at any number of test points.
/// Test inputs are in the user's units throughout.
class GPCV_EXPORT Posterior {
 public:
  /// The posterior takes over the model: move one that is not needed elsewhere, and its training data are not copied.
  Posterior(Model model, const ComputeOptions& compute);
  /// The posterior shares a model with others that keep it.
  Posterior(std::shared_ptr<const Model> model, const ComputeOptions& compute);
  ~Posterior();
  Posterior(Posterior&&) noexcept;

  const Model& model() const;

  /// m = K* C⁻¹y;  v = k** (+ σ²) − ‖L⁻¹k*‖², point by point in batches.   x: m × d
  Prediction predict(ConstView x, const PredictOptions& options = {}) const;
  /// Mean and variance of each summand, in the order of the kernel; variances need a factorisation that fits.
  std::vector<Component> components(ConstView x, bool mean_only = false) const;
  /// The joint m × m covariance. `noise`: as in PredictOptions.
  Matrix covariance(ConstView x, bool latent = false, const Vector& noise = {}) const;
  /// Draws from the joint posterior, one per column: m × count.
  Matrix sample(ConstView x, Index count, std::uint64_t seed, bool latent = false, const Vector& noise = {}) const;
  /// What `automatic` stands for with so many test rows.
  VarianceMethod resolved(const VarianceMethod& method, Index test_rows) const;
  /// Jitter its factorisation needed; 0 until a variance was asked for.
  double jitter() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Mean of k(x, x) over the training inputs, in standardised units.
GPCV_EXPORT double signal_variance(const Model& model);
/// Standard deviation of the noise in the target's units.
GPCV_EXPORT double noise_std(const Model& model);
/// Standard deviation, in the target's units, of the noise that only held-out errors show; 0: none.
GPCV_EXPORT double added_noise_std(const Model& model);

/// The training targets in the target's units.
GPCV_EXPORT Vector training_targets(const Model& model);

/// What a standard deviation is multiplied by for an interval that holds a new row, exchangeable with those set aside,
/// with at least this probability, however wrong the model. Throws InputError when too few rows were set aside.
GPCV_EXPORT double conformal_factor(const Conformal& conformal, double probability);

/// C⁻¹y for the model's training data; what fit stores and every prediction of a mean uses. `start` may hold a guess
/// for an iterative solve.
GPCV_EXPORT Vector posterior_weights(const Problem& problem, const ComputeOptions& compute, const Vector& start = {});

/// Hold-out residuals of every validation row at fixed hyper-parameters, from one factorisation C = L Lᵀ:
/// r_k = ([C⁻¹]_kk)⁻¹ [C⁻¹y]_k when all others train, r_k = L_kk [L⁻¹y]_k when all rows before train; or by conjugate
/// gradients on all folds at once. NaN for rows no fold validates.
GPCV_EXPORT Vector cross_validation_residuals(const Problem& problem, const Folds& folds,
                                              const ComputeOptions& compute);

/// How good predictions are, against known targets. NaN where a number has no meaning: smse of targets that
/// do not vary; nlpd, crps and coverage of means without variances.
struct Metrics {
  Index n = 0;
  double rmse = 0;  ///< in the target's units
  double smse = 0;  ///< MSE / variance of the test targets
  double nlpd = 0;  ///< mean negative log predictive density
  double crps = 0;  ///< continuous ranked probability score of the Gaussian, target's units
  double coverage50 = 0, coverage80 = 0, coverage95 = 0;  ///< fraction inside the central interval
};
GPCV_EXPORT Metrics evaluate(const Prediction& prediction, ConstVectorView y);

/// Held-out rows of the model that have a variance, and their targets.
struct HeldOutRows {
  std::vector<Index> rows;  ///< of the training data
  Prediction prediction;
  Vector y;
};
GPCV_EXPORT HeldOutRows held_out_rows(const Model& model);

/// How often central intervals held what they promised.
struct CalibrationPoint {
  double promised = 0;  ///< probability of the interval
  double covered = 0;   ///< fraction of targets inside
};
/// At 5 %, 10 %, … 95 % and 99 %.
GPCV_EXPORT std::vector<CalibrationPoint> calibration_curve(const Prediction& prediction, ConstVectorView y);

/// z with P(|Z| ≤ z) = probability for a standard normal Z.
GPCV_EXPORT double interval_factor(double probability);

}  // namespace gpcv
