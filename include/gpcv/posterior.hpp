/// Predictions of a trained Gaussian process.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "gpcv/export.hpp"
#include "gpcv/model.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Prediction at each test point, in the target's units: Student's t with this mean and variance. With a transform T it
/// is T(y) that has Student's t distribution, and `mean` and `variance` are those of y: docs/math/transforms.md.
struct GPCV_EXPORT Prediction {
  Vector mean;      ///< predictive means
  Vector variance;  ///< predictive variances; empty when only the mean was requested
  double degrees = std::numeric_limits<double>::infinity();  ///< degrees of freedom; infinite for normal distributions
  TargetTransform transform = {};                            ///< T
  Vector transformed_mean = {};                              ///< means of T(y); empty without a transform
  Vector transformed_variance = {};                          ///< variances of T(y); empty without a transform

  /// Quantiles of y that lie z standard deviations above the centre: mean + z·std, or T⁻¹ of that of T(y).
  Vector at(double z) const;
  /// z of given targets: (y − mean)/std, or that of T(y).
  Vector standardised(ConstVectorView y) const;
  /// Prediction of some of the points.
  Prediction rows_at(const std::vector<Index>& rows) const;
};

/// Method of predictive variances. `exact` factorises, or iterates where the factor does not fit in memory;
/// `neighbours` conditions each test point on a number of training points, which gives an upper bound; `automatic`
/// means exact where that is affordable, and elsewhere as few neighbours as give a deviation near the exact one.
struct GPCV_EXPORT VarianceMethod {
  /// Kind of the method.
  enum class Kind { automatic, exact, neighbours } kind = Kind::automatic;  ///< kind of the method
  Index neighbours = 1024;  ///< number of training points of `neighbours`

  /// Method of the text "auto", "exact" or "neighbours:256".
  static VarianceMethod parse(const std::string& text);
  /// Text that parse() accepts.
  std::string to_string() const;
  /// Rows that one call of Posterior::predict() should have: similar ones share work if they come together.
  Index rows_at_once() const;
};

/// Options of a prediction.
struct PredictOptions {
  bool latent = false;           ///< variance of the function, without the noise
  bool mean_only = false;        ///< no variances
  VarianceMethod variance = {};  ///< method of the variances
  Index expected_rows = 0;       ///< total number of test rows when they come in batches; used by `automatic`
  Vector noise = {};             ///< noise standard deviation of each test row; empty for a typical training row's
  bool transformed = false;      ///< prediction of T(y), the target of the Gaussian process, instead of y
};

/// Prediction of y, given that of T(y). Without variances means are medians.
GPCV_EXPORT Prediction in_target_units(const TargetTransform& transform, Prediction of_transformed);

/// Contribution of one summand of the kernel. The means of all summands and the mean of the target add up to the
/// prediction; with a transform T of the target they are in units of T(y), and add up to its prediction.
struct Component {
  std::string name;       ///< name of the summand
  Prediction prediction;  ///< contribution at each test point
};

/// Posterior of a model, conditioned once on its training data and evaluated at any number of test points. Test inputs
/// are in the user's units.
class GPCV_EXPORT Posterior {
 public:
  /// Posterior that owns its model. A model that is moved into it is not copied.
  Posterior(Model model, const ComputeOptions& compute);
  /// Posterior that shares its model.
  Posterior(std::shared_ptr<const Model> model, const ComputeOptions& compute);
  ~Posterior();
  /// Moves a posterior.
  Posterior(Posterior&&) noexcept;

  /// Model of the posterior.
  const Model& model() const;

  /// Prediction m = K* C⁻¹y, v = k** (+ σ²) − ‖L⁻¹k*‖² of each test point.   x: m × d
  Prediction predict(ConstView x, const PredictOptions& options = {}) const;
  /// Contributions of the summands in the order of the kernel; their variances require a factorisation in memory.
  std::vector<Component> components(ConstView x, bool mean_only = false) const;
  /// Joint covariance of m test points, m × m. `noise` is that of PredictOptions. Throws InputError for a model with a
  /// transform of the target, whose joint distribution a covariance does not describe.
  Matrix covariance(ConstView x, bool latent = false, const Vector& noise = {}) const;
  /// Samples from the joint posterior, one per column: m × count.
  Matrix sample(ConstView x, Index count, std::uint64_t seed, bool latent = false, const Vector& noise = {}) const;
  /// Method that is used for this number of test rows; `automatic` is resolved, for variances of observations or, if
  /// latent, of the function.
  VarianceMethod resolved(const VarianceMethod& method, Index test_rows, bool latent = false) const;
  /// Jitter of the factorisation; 0 until a variance was requested.
  double jitter() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Prediction of rows of a table, some of which are not complete. A row with a missing input (NaN) has the mean and the
/// variance NaN. A row whose category has none of the levels of the training is predicted as the mixture of all these
/// levels: its variance is the mean of their variances plus the variance of their means.
GPCV_EXPORT Prediction predict_rows(const Posterior& posterior, ConstView x, const PredictOptions& options = {});

/// Mean of k(x, x) over the training inputs, in standardised units.
GPCV_EXPORT double signal_variance(const Model& model);
/// Standard deviation of the noise in the target's units, as held-out errors show it; that of the target where their
/// predictions are no better than its mean. With a transform T of the target both are those of T(y).
GPCV_EXPORT double noise_std(const Model& model);

/// The same at each of the inputs x, in the user's units: it differs where the noise was learned.
GPCV_EXPORT Vector noise_std(const Model& model, ConstView x);

/// Range of the noise of the training rows: the 5 % and the 95 % quantile of its standard deviations.
struct NoiseRange {
  double low = 0;   ///< 5 % quantile
  double high = 0;  ///< 95 % quantile
};
/// Range of the noise; both ends are noise_std() where it is constant.
GPCV_EXPORT NoiseRange noise_range(const Model& model);

/// Standard deviation of the training targets, in their original units, without rows that a robust training distrusts.
GPCV_EXPORT double target_deviation(const Model& model);
/// Training targets in their original units.
GPCV_EXPORT Vector training_targets(const Model& model);
/// Those of the rows that a robust training trusts, or of all rows.
GPCV_EXPORT Vector trusted_targets(const Model& model);
/// Whether the training data had the noise or a weight of each row, beside the weights of a robust training.
GPCV_EXPORT bool has_given_noise(const Model& model);
/// Held-out predictions of all training rows, in the target's units: the mean is NaN where no fold validates the row,
/// and the variance where it was not computed. There, the mean of a transformed target is that for a typical variance.
GPCV_EXPORT Prediction held_out_prediction(const Model& model);

/// Half width of a conformal interval in standard deviations. The interval contains a new row, exchangeable with the
/// calibration set, with at least this probability, whatever the errors of the model. Throws InputError when the
/// calibration set is too small.
GPCV_EXPORT double conformal_factor(const Conformal& conformal, double probability);

/// Weights C⁻¹y of the training data, from which means are predicted. `start` may hold an initial guess for an
/// iterative solve.
GPCV_EXPORT Vector posterior_weights(const Problem& problem, const ComputeOptions& compute, const Vector& start = {});

/// Hold-out residuals of every validation row at fixed hyper-parameters. With one factorisation C = L Lᵀ they are
/// r_k = ([C⁻¹]_kk)⁻¹ [C⁻¹y]_k when all other rows train and r_k = L_kk [L⁻¹y]_k when all earlier rows train; otherwise
/// conjugate gradients solve all folds at once. The residual is NaN for rows that no fold validates.
GPCV_EXPORT Vector cross_validation_residuals(const Problem& problem, const Folds& folds,
                                              const ComputeOptions& compute);

/// Metrics of predictions against known targets. A metric that is not defined is NaN: smse of constant targets; nlpd,
/// crps and coverage without variances.
struct Metrics {
  Index n = 0;            ///< number of rows
  double rmse = 0;        ///< root mean squared error in the target's units
  double smse = 0;        ///< mean squared error divided by the variance of the test targets
  double nlpd = 0;        ///< mean negative log predictive density
  double crps = 0;        ///< continuous ranked probability score, in the target's units
  double coverage50 = 0;  ///< fraction of the targets inside the central 50 % interval
  double coverage80 = 0;  ///< fraction of the targets inside the central 80 % interval
  double coverage95 = 0;  ///< fraction of the targets inside the central 95 % interval
};
/// Metrics of a prediction.
GPCV_EXPORT Metrics evaluate(const Prediction& prediction, ConstVectorView y);

/// Held-out predictions with a variance, and their targets.
struct HeldOutRows {
  std::vector<Index> rows;  ///< rows of the training data
  Prediction prediction;    ///< held-out predictions of these rows
  Vector y;                 ///< targets of these rows
};
/// Held-out predictions of a model, without the rows that a robust training distrusts unless they are wanted.
GPCV_EXPORT HeldOutRows held_out_rows(const Model& model, bool distrusted = false);

/// Point of a calibration curve.
struct CalibrationPoint {
  double promised = 0;  ///< nominal probability of the central interval
  double covered = 0;   ///< fraction of the targets inside
};
/// Calibration curve at 5 %, 10 %, … 95 % and 99 %.
GPCV_EXPORT std::vector<CalibrationPoint> calibration_curve(const Prediction& prediction, ConstVectorView y);

/// Half width z of a central interval in standard deviations: P(|Z| ≤ z) = probability, where Z has the variance 1 and
/// is normal or has Student's t distribution with these degrees of freedom.
GPCV_EXPORT double interval_factor(double probability, double degrees = std::numeric_limits<double>::infinity());
/// Quantile z of the same Z: P(Z ≤ z) = probability.
GPCV_EXPORT double quantile_factor(double probability, double degrees = std::numeric_limits<double>::infinity());

}  // namespace gpcv
