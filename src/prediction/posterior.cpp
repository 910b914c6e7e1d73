#include "gpcv/posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "backends/dense_kernel.hpp"
#include "core/blas_library.hpp"
#include "core/random.hpp"
#include "evaluation/conditioning.hpp"
#include "evaluation/neighbour_choice.hpp"
#include "evaluation/neighbour_variance.hpp"
#include "gpcv/error.hpp"
#include "prediction/components.hpp"
#include "prediction/signal.hpp"
#include "prediction/variance.hpp"

namespace gpcv {

struct Posterior::State {
  State(std::shared_ptr<const Model> model_, ComputeOptions compute_)
      : owner(std::move(model_)),
        model(*owner),
        compute(with_budget(std::move(compute_))),
        program(model.kernel.lower()) {
    require_blas_memory(compute.threads);
  }

  std::shared_ptr<const Model> owner;
  const Model& model;
  ComputeOptions compute;  ///< with a budget resolved once, so that all batches take the same decisions
  KernelProgram program;
  std::mutex making;                                     ///< guards the members that are created on demand
  Index observed_neighbours = 0, latent_neighbours = 0;  ///< numbers that were chosen; 0: not yet
  std::unique_ptr<CovarianceFactor> factor;              ///< K + σ²I
  std::map<std::string, std::unique_ptr<VarianceEstimator>> estimators;  ///< estimators by the name of their method

  const CovarianceFactor& factorised() {
    if (!factor) {
      ComputeOptions dense = compute;
      dense.solver = Solver::cholesky;
      plan_solves({.n = model.x.rows(), .d = model.x.cols()}, dense);  // throws if the factor does not fit the budget
      factor = covariance_factor(program, model.x, model.noise, compute);
    }
    return *factor;
  }

  VariancePlan plan(const VarianceMethod& method, Index test_rows, bool latent) {
    VariancePlan plan = plan_variance(method, model.x.rows(), model.x.cols(), test_rows, compute);
    const bool chosen = method.kind == VarianceMethod::Kind::automatic;
    if (chosen && plan.method.kind == VarianceMethod::Kind::neighbours) plan.method.neighbours = neighbours(latent);
    return plan;
  }

  /// Neighbours for variances of observations, those of the calibration where it had any, or for those of the function.
  Index neighbours(bool latent) {
    const std::string& held_out = model.provenance.held_out.method;
    if (!latent && held_out.starts_with("neighbours:")) return VarianceMethod::parse(held_out).neighbours;
    const std::scoped_lock lock(making);
    Index& found = latent ? latent_neighbours : observed_neighbours;
    if (found == 0) found = chosen_neighbours(program, model.x, model.noise, latent, compute).neighbours;
    return found;
  }

  const VarianceEstimator& estimator(const VariancePlan& plan) {
    const VarianceMethod& method = plan.method;
    const std::scoped_lock lock(making);
    std::unique_ptr<VarianceEstimator>& found = estimators[method.to_string()];
    if (found) return *found;
    if (method.kind == VarianceMethod::Kind::neighbours) {
      found = std::make_unique<NeighbourVariance>(program, model.x, model.noise, method.neighbours, compute);
      return *found;
    }
    found = plan.solver == Solver::cg ? iterative_variance(model, compute) : dense_variance(model, factorised());
    return *found;
  }

  Matrix standardized(ConstView x) const {
    const Index d = model.scaling.x_mean.size();
    if (x.cols() != d) {
      throw InputError(fmt::format("the model was trained on {} input columns, these data have {}", d, x.cols()));
    }
    if (!x.allFinite()) throw InputError("the inputs contain NaN or infinite values");
    Matrix points = model.scaling.inputs(x);
    if (model.x.cols() == d) return points;
    // A new row is predicted in the target's own units.
    points.conservativeResize(Eigen::NoChange, d + 1);
    points.col(d).setOnes();
    return points;
  }
  /// Noise variance of new rows, in standardised units.   points: standardised
  Vector noise_variance(const Matrix& points, const Vector& noise) const {
    const Index rows = points.rows();
    if (!model.noise_process.is_constant()) {
      if (noise.size() > 0) throw InputError("the model has learned its noise: rows have none of their own");
      return model.noise * model.noise_process.log_factor(points.leftCols(model.scaling.x_mean.size())).array().exp();
    }
    if (noise.size() == 0 || model.noise_reference == 0) return Vector::Constant(rows, model.noise);
    if (noise.size() != rows) throw InputError("there is not one noise per row to predict");
    return model.noise * (noise / model.noise_reference).array().square();
  }
  /// The variances of errors for the variances f of the function and those of the noise; of the function alone if
  /// latent. Errors were compared with variances in units in which every row has the noise of the model: a row with q
  /// times the precision has the variance V(q (f + noise))/q.
  Vector scaled(const Vector& f, const Vector& noise, bool latent) const {
    const PredictiveScale& scale = model.error_scale;
    Vector out(f.size());
    for (Index i = 0; i < f.size(); ++i) {
      const double q = noise(i) > 0 ? model.noise / noise(i) : 1;
      out(i) = latent ? scale.variance(f(i) + model.noise) - scale.noise(model.noise)
                      : scale.variance(q * (f(i) + noise(i))) / q;
    }
    return out.cwiseMax(0);
  }
  double variance_unit() const { return model.scaling.y_scale * model.scaling.y_scale; }

  /// Prediction of the transformed target.
  Prediction predict(ConstView x, const PredictOptions& options);
  /// Joint covariance of the transformed target.
  Matrix covariance(ConstView x, bool latent, const Vector& noise);
};

Posterior::Posterior(Model model, const ComputeOptions& compute)
    : Posterior(std::make_shared<const Model>(std::move(model)), compute) {}
Posterior::Posterior(std::shared_ptr<const Model> model, const ComputeOptions& compute)
    : state_(std::make_unique<State>(std::move(model), compute)) {}
Posterior::~Posterior() = default;
Posterior::Posterior(Posterior&&) noexcept = default;

const Model& Posterior::model() const { return state_->model; }

double Posterior::jitter() const {
  const std::scoped_lock lock(state_->making);
  return state_->factor ? state_->factor->jitter() : 0;
}

VarianceMethod Posterior::resolved(const VarianceMethod& method, Index test_rows, bool latent) const {
  return state_->plan(method, test_rows, latent).method;
}

Prediction Posterior::predict(ConstView x, const PredictOptions& options) const {
  const TargetTransform& transform = state_->model.transform;
  if (transform.is_none() || options.transformed) return state_->predict(x, options);
  // The mean of y depends on the variance of T(y).
  PredictOptions complete = options;
  complete.mean_only = false;
  Prediction out = in_target_units(transform, state_->predict(x, complete));
  if (options.mean_only) out.variance.resize(0);
  return out;
}

Prediction Posterior::State::predict(ConstView x, const PredictOptions& options) {
  const Matrix points = standardized(x);
  const Index m = points.rows();
  Prediction out{Vector(m), Vector(options.mean_only ? 0 : m)};
  if (m == 0) return out;

  // m = K* α is computed without K*, in double: the products with α cancel where data are dense and the noise is small.
  ComputeOptions in_double = compute;
  in_double.precision = Precision::double_;
  Matrix mean(m, 1);
  make_operator(program, points, model.x, in_double)->apply(model.weights, mean);
  out.mean = model.scaling.mean(mean.col(0));
  if (options.mean_only) return out;

  const VarianceEstimator& variances =
      estimator(plan(options.variance, std::max(m, options.expected_rows), options.latent));
  const Vector noise = noise_variance(points, options.noise);
  const Index batch = variances.rows_at_once(model.x.rows());
  for (Index first = 0; first < m; first += batch) {
    const Index count = std::min(batch, m - first);
    // Rounding must not make a variance negative.
    out.variance.segment(first, count) = variances.variance(points.middleRows(first, count)).cwiseMax(0);
  }
  out.variance = model.scaling.variance(scaled(out.variance, noise, options.latent));
  out.degrees = model.error_scale.degrees;
  return out;
}

std::vector<Component> Posterior::components(ConstView x, bool mean_only) const {
  const Matrix points = state_->standardized(x);
  const Model& model = state_->model;
  // A summand has no noise of its own: b is left out.
  const PredictiveScale& scale = model.error_scale;
  const double factor = (scale.noise(1) - scale.noise(0)) * state_->variance_unit();
  ComputeOptions in_double = state_->compute;
  in_double.precision = Precision::double_;
  const std::scoped_lock lock(state_->making);
  std::vector<Component> out;
  for (const NamedKernel& part : named_summands(model)) {
    const KernelProgram program = part.kernel.lower();
    Matrix mean(points.rows(), 1);
    make_operator(program, points, model.x, in_double)->apply(model.weights, mean);
    Component component{part.name, {mean.col(0) * model.scaling.y_scale, Vector(mean_only ? 0 : points.rows())}};
    const Index batch = batch_rows(model.x.rows());
    for (Index first = 0; !mean_only && first < points.rows(); first += batch) {
      const Index count = std::min(batch, points.rows() - first);
      const auto some = points.middleRows(first, count);
      // v_j = k_j** − k_j*ᵀ C⁻¹ k_j*
      component.prediction.variance.segment(first, count) =
          factor * (kernel_diagonal(program, some) - state_->factorised().explained(program, some)).cwiseMax(0);
    }
    out.push_back(std::move(component));
  }
  return out;
}

Matrix Posterior::covariance(ConstView x, bool latent, const Vector& noise) const {
  const TargetTransform& transform = state_->model.transform;
  if (!transform.is_none()) {
    throw InputError(
        fmt::format("the model is one of {}: a covariance does not describe the joint distribution of {}; "
                    "joint draws do",
                    transform.label(state_->model.columns.target), state_->model.columns.target));
  }
  return state_->covariance(x, latent, noise);
}

Matrix Posterior::State::covariance(ConstView x, bool latent, const Vector& noise) {
  const Matrix points = standardized(x);
  require_dense_memory(points.rows(), 2, "the joint covariance");
  const std::scoped_lock lock(making);
  const int threads = compute.threads;
  // V = K** + diag σ² − K* C⁻¹ K*ᵀ
  Matrix v = dense_kernel(program, points, threads);
  const Matrix half = factorised().half_solve(dense_kernel(program, model.x, points, threads));
  v.noalias() -= half.transpose() * half;
  // Correlations of the function stay; variances become those of predict().
  const Vector own_noise = noise_variance(points, noise);
  const Vector f = v.diagonal().cwiseMax(std::numeric_limits<double>::min());
  const Vector function = scaled(f, own_noise, true);
  const Vector root = function.cwiseQuotient(f).cwiseSqrt();
  v = root.asDiagonal() * v * root.asDiagonal();
  if (!latent) v.diagonal() += scaled(f, own_noise, false) - function;
  return v * variance_unit();
}

Matrix Posterior::sample(ConstView x, Index count, std::uint64_t seed, bool latent, const Vector& noise) const {
  const Vector mean = state_->predict(x, {.mean_only = true}).mean;
  const Cholesky factor(state_->covariance(x, latent, noise), state_->compute.threads);
  Random random(seed);
  Matrix normal(x.rows(), count);
  for (double& z : normal.reshaped()) z = random.normal();
  // A draw of Student's t is a normal one over √(χ²/(ν − 2)), with one χ² of ν degrees of freedom for all its points.
  const double degrees = state_->model.error_scale.degrees;
  for (Index k = 0; std::isfinite(degrees) && k < count; ++k) {
    double squares = 0;
    for (int i = 0; i < static_cast<int>(std::lround(degrees)); ++i) squares += std::pow(random.normal(), 2);
    normal.col(k) *= std::sqrt((degrees - 2) / squares);
  }
  Matrix draws = factor.multiply_factor(normal).colwise() + mean;
  const TargetTransform& transform = state_->model.transform;
  if (!transform.is_none()) draws = draws.unaryExpr([&](double t) { return transform.inverse(t); });
  return draws;
}

double signal_variance(const Model& model) { return kernel_diagonal(model.kernel.lower(), model.x).mean(); }

namespace {

/// Training targets after the transform.
Vector transformed_targets(const Model& model) {
  if (model.noise_reference == 0) return model.scaling.mean(model.y);
  return model.scaling.mean(model.y.cwiseQuotient(model.x.col(model.x.cols() - 1)));
}

double deviation_of(const Vector& y) {
  return y.size() > 0 ? std::sqrt((y.array() - y.mean()).square().mean()) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Vector training_targets(const Model& model) {
  Vector y = transformed_targets(model);
  return model.transform.is_none() ? y : model.transform.inverse(y);
}

bool has_given_noise(const Model& model) {
  return model.noise_reference > 0 && !model.provenance.trust.alone && model.noise_process.is_constant();
}

Vector trusted_targets(const Model& model) {
  const Vector y = training_targets(model);
  std::vector<Index> rows;
  for (Index i = 0; i < y.size(); ++i) {
    if (!model.provenance.trust.distrusts(i)) rows.push_back(i);
  }
  return y(rows);
}

double target_deviation(const Model& model) { return deviation_of(trusted_targets(model)); }

double noise_std(const Model& model) {
  const bool trained = model.provenance.trace_column("noise") >= 0 && !has_given_noise(model);
  if (trained && !beats_mean(model)) return deviation_of(transformed_targets(model));
  return std::sqrt(model.error_scale.observed_noise(model.noise)) * model.scaling.y_scale;
}

NoiseRange noise_range(const Model& model) {
  constexpr double tail = 0.05;
  Vector values = model.noise_process.log_factor(model.x.leftCols(model.scaling.x_mean.size()));
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double share) {
    return noise_std(model) * std::exp(0.5 * values(static_cast<Index>(std::lround(share * last))));
  };
  return {at(tail), at(1 - tail)};
}

Vector noise_std(const Model& model, ConstView x) {
  return noise_std(model) * (0.5 * model.noise_process.log_factor(model.scaling.inputs(x))).array().exp();
}

}  // namespace gpcv
