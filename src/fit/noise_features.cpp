#include "fit/noise_features.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace gpcv {
namespace {

constexpr double unexplained = 1e-3;

}  // namespace

Matrix NoiseFeatures::scaled(ConstView x) const {
  Matrix out(x.rows(), static_cast<Index>(scales_.inputs.size()));
  for (Index c = 0; c < out.cols(); ++c) {
    out.col(c) = x.col(scales_.inputs[static_cast<std::size_t>(c)]) * std::exp(-scales_.log_lengths(c));
  }
  return out;
}

NoiseFeatures::NoiseFeatures(ConstView x, NoiseScales scales, Index most_pivots)
    : scales_(std::move(scales)), all_inputs_(x.cols()) {
  const Matrix z = scaled(x);
  const Index n = z.rows(), most = std::min(n, most_pivots);
  values_.resize(n, most);
  Vector left = Vector::Ones(n);
  std::vector<Index> pivots;
  Index m = 0;
  for (; m < most; ++m) {
    Index p = 0;
    if (left.maxCoeff(&p) <= unexplained) break;
    const double root = std::sqrt(left(p));
    // g_m = (k(·, p) − Σ_{j<m} g_j g_j(p))/√left_p
    Vector g = (-0.5 * (z.rowwise() - z.row(p)).rowwise().squaredNorm()).array().exp();
    g -= values_.leftCols(m) * values_.row(p).head(m).transpose();
    values_.col(m) = g / root;
    left -= values_.col(m).cwiseAbs2();
    pivots.push_back(p);
  }
  values_.conservativeResize(Eigen::NoChange, m);
  points_ = x(pivots, Eigen::all);
  factor_ = values_(pivots, Eigen::all);
}

Matrix NoiseFeatures::at(ConstView x) const {
  const Matrix z = scaled(x), p = scaled(points_);
  Matrix k(p.rows(), z.rows());
  for (Index j = 0; j < p.rows(); ++j) {
    k.row(j) = (-0.5 * (z.rowwise() - p.row(j)).rowwise().squaredNorm()).array().exp().transpose();
  }
  return factor_.triangularView<Eigen::Lower>().solve(k).transpose();
}

NoiseProcess NoiseFeatures::process(const Vector& a, double constant) const {
  // s G* a with G* = k(x*, P) L⁻ᵀ/s² is k(x*, P) weights.
  const double s = std::exp(scales_.log_deviation);
  NoiseProcess out;
  out.kernel = Kernel::parse(fmt::format("se(ard, on=[{}])", fmt::join(scales_.inputs, ","))).bind(all_inputs_);
  std::vector<Parameter> parameters(out.kernel.parameters().begin(), out.kernel.parameters().end());
  Index at = 0;
  for (Parameter& p : parameters) p.value = p.role == Role::variance ? s * s : std::exp(scales_.log_lengths(at++));
  out.kernel = out.kernel.with_parameters(std::move(parameters));
  out.points = points_;
  out.weights = factor_.transpose().triangularView<Eigen::Upper>().solve(a) / s;
  out.constant = constant;
  return out;
}

}  // namespace gpcv
