#include "gpcv/posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "operators/dense_kernel.hpp"
#include "operators/dense_memory.hpp"

namespace gpcv {
namespace {

/// Test rows per batch: the n × batch block of K* stays near 64 MiB.
Index batch_rows(Index n) { return std::clamp<Index>((Index{64} << 20) / (8 * std::max<Index>(1, n)), 16, 8192); }

Cholesky factorise(const KernelProgram& program, ConstView x, double noise, int threads, const char* what) {
  require_dense_memory(x.rows(), 1, what);
  Matrix c = dense_kernel(program, x, threads);
  c.diagonal().array() += noise;
  return Cholesky(std::move(c), threads);
}

}  // namespace

struct Posterior::State {
  State(const Model& model_, OperatorOptions compute_)
      : model(model_), compute(std::move(compute_)), program(model.kernel.lower()) {}

  Model model;
  OperatorOptions compute;
  KernelProgram program;
  std::once_flag factorised;
  std::optional<Cholesky> factor;  ///< of K + σ²I, made when a variance is first asked for

  const Cholesky& cholesky() {
    std::call_once(factorised, [&] {
      factor.emplace(factorise(program, model.x, model.noise, compute.threads, "predicting variances"));
    });
    return *factor;
  }

  Matrix standardized(ConstView x) const {
    if (x.cols() != model.x.cols()) {
      throw InputError(
          fmt::format("the model was trained on {} input columns, these data have {}", model.x.cols(), x.cols()));
    }
    if (!x.allFinite()) throw InputError("the inputs contain NaN or infinite values");
    return model.scaling.inputs(x);
  }
  double variance_unit() const { return model.scaling.y_scale * model.scaling.y_scale; }
};

Posterior::Posterior(const Model& model, const OperatorOptions& compute)
    : state_(std::make_unique<State>(model, compute)) {}
Posterior::~Posterior() = default;
Posterior::Posterior(Posterior&&) noexcept = default;

double Posterior::jitter() const { return state_->factor ? state_->factor->jitter() : 0; }

Prediction Posterior::predict(ConstView x, const PredictOptions& options) const {
  const Matrix points = state_->standardized(x);
  const Model& model = state_->model;
  const Index m = points.rows();
  const double noise = options.latent ? 0 : model.noise;
  Prediction out{Vector(m), Vector(options.mean_only ? 0 : m)};

  const Index batch = batch_rows(model.x.rows());
  for (Index first = 0; first < m; first += batch) {
    const Index count = std::min(batch, m - first);
    const auto rows = points.middleRows(first, count);
    if (options.mean_only) {
      // m = K* α without K*.
      Matrix mean(count, 1);
      make_operator(state_->program, rows, model.x, state_->compute)->apply(model.weights, mean);
      out.mean.segment(first, count) = mean;
      continue;
    }
    const Matrix cross = dense_kernel(state_->program, model.x, rows, state_->compute.threads);
    out.mean.segment(first, count) = cross.transpose() * model.weights;
    // v = k** + σ² − ‖L⁻¹ k*‖²; rounding may not push it below zero.
    const Matrix half = state_->cholesky().half_solve(cross);
    const Vector prior = kernel_diagonal(state_->program, rows);
    out.variance.segment(first, count) = (prior - half.colwise().squaredNorm().transpose()).cwiseMax(0).array() + noise;
  }
  out.mean = model.scaling.mean(out.mean);
  if (!options.mean_only) out.variance = model.scaling.variance(out.variance);
  return out;
}

Matrix Posterior::covariance(ConstView x, bool latent) const {
  const Matrix points = state_->standardized(x);
  require_dense_memory(points.rows(), 2, "the joint covariance");
  const int threads = state_->compute.threads;
  // V = K** + σ²I − K* C⁻¹ K*ᵀ
  Matrix v = dense_kernel(state_->program, points, threads);
  const Matrix half = state_->cholesky().half_solve(dense_kernel(state_->program, state_->model.x, points, threads));
  v.noalias() -= half.transpose() * half;
  if (!latent) v.diagonal().array() += state_->model.noise;
  return v * state_->variance_unit();
}

Matrix Posterior::sample(ConstView x, Index count, std::uint64_t seed, bool latent) const {
  const Vector mean = predict(x, {.mean_only = true}).mean;
  const Cholesky factor(covariance(x, latent), state_->compute.threads);
  Random random(seed);
  Matrix normal(x.rows(), count);
  for (double& z : normal.reshaped()) z = random.normal();
  return factor.multiply_factor(normal).colwise() + mean;
}

Vector posterior_weights(const Problem& problem, const OperatorOptions& compute) {
  return factorise(problem.kernel.lower(), problem.x, problem.noise.variance, compute.threads,
                   "conditioning on the data")
      .solve(problem.y);
}

}  // namespace gpcv
