#pragma once

#include <Eigen/Dense>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

/// Namespace of an independent, dense reference of the paper's Algorithm 1. It shares no code with the library and is
/// meant for tests alone.
namespace gpcv::oracle {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// Kernels of the paper with their trained parameters: se (l), lp (l, p), se_lp (l1, l2, p), co2 (l1, l2, l3).
enum class PaperKernel { se, lp, se_lp, co2 };

/// Split is one hold-out division of the data: training and validation points, and the held noise variance σ_e².
struct Split {
  Vector x_t, y_t, x_v, y_v;
  double noise;
};

/// Rules are the constants of Algorithm 1; armijo_start and tolerance have one entry per θ_i.
struct Rules {
  double rho = 5, rho_dual = 5, lambda0 = 1;
  Vector armijo_start, tolerance;
  double shrink = 0.5, slope = 0.5;
  double z_change = 1e-5;
};

/// Shape names the constants of the common form
/// k(d) = a1 exp(−d²/(2 l²)) + a2 exp(−d²/(2 m²) − 2 sin²(πd/p)/q²), where a part with zero variance is absent.
struct Shape {
  double a1, l, a2, m, q, p;
};

/// Shape of each kernel at θ; the LP kernel uses one length for its envelope and its periodic factor (m = q).
inline Shape shape(PaperKernel kernel, const Vector& theta) {
  constexpr double co2_trend = 66 * 0.01316 * 4, co2_season = 2.4 * 0.01316 * 4, co2_period = 0.197;
  switch (kernel) {
    case PaperKernel::se:
      return {1, theta(0), 0, 1, 1, 1};
    case PaperKernel::lp:
      return {0, 1, 1, theta(0), theta(0), theta(1)};
    case PaperKernel::se_lp:
      return {1, theta(0), 1, theta(1), theta(1), theta(2)};
    case PaperKernel::co2:
      return {co2_trend, theta(0), co2_season, theta(1), theta(2), co2_period};
  }
  throw std::logic_error("unknown kernel");
}

/// Parameters are counted here: the result is the length of θ.
inline Index parameters(PaperKernel kernel) {
  return kernel == PaperKernel::se ? 1 : kernel == PaperKernel::lp ? 2 : 3;
}

/// Sine term of the periodic factor at distance d (a number or an Eigen array, as in all formulas below).
template <class A>
A sine_term(const Shape& s, const A& d) {
  using std::sin;
  // S = sin²(πd/p)
  const A root = sin(std::numbers::pi / s.p * d);
  return root * root;
}

/// Trend part of the kernel at distance d.
template <class A>
A trend_term(const Shape& s, const A& d) {
  using std::exp;
  // E = a1 exp(−d²/(2 l²))
  return s.a1 * exp(-0.5 / (s.l * s.l) * d * d);
}

/// Season part of the kernel at distance d with S = sin²(πd/p) given.
template <class A>
A season_term(const Shape& s, const A& d, const A& sine) {
  using std::exp;
  // P = a2 exp(−d²/(2 m²) − 2 S/q²)
  return s.a2 * exp(-0.5 / (s.m * s.m) * d * d - 2 / (s.q * s.q) * sine);
}

/// Terms are the distance d, S = sin²(πd/p), the trend E and the season P from which every derivative follows.
template <class A>
struct Terms {
  A d, sine, trend, season;
};

/// Derivative of a trend E = a1 exp(−d²/(2 l²)) in its length, and likewise of an envelope.
template <class A>
A length_derivative(const A& part, const A& d, double l) {
  // ∂E/∂l = E d²/l³
  return part * d * d / (l * l * l);
}

/// Derivative of the LP kernel P = exp(−2S/l²) exp(−d²/(2 l²)) in its common length l.
template <class A>
A lp_length_derivative(const Terms<A>& at, double l) {
  // ∂P/∂l = P (4 S + d²)/l³
  return at.season * (4 * at.sine + at.d * at.d) / (l * l * l);
}

/// Derivative of the LP kernel P in its period p, from ∂S/∂p = −sin(2πd/p) πd/p².
template <class A>
A lp_period_derivative(const Terms<A>& at, double l, double p) {
  using std::sin;
  constexpr double pi = std::numbers::pi;
  // ∂P/∂p = P 2πd sin(2πd/p)/(l² p²)
  const A wave = sin(2 * pi / p * at.d);
  return 2 * pi / (l * l * p * p) * at.season * at.d * wave;
}

/// Derivative of the periodic factor exp(−2S/q²) of the CO2 kernel in its length q.
template <class A>
A periodic_length_derivative(const Terms<A>& at, double q) {
  // ∂P/∂q = P 4 S/q³
  return 4 * at.season * at.sine / (q * q * q);
}

/// Derivative ∂k/∂θ_i of each kernel from its terms at θ.
template <class A>
A derivative_from(PaperKernel kernel, const Vector& theta, Index i, const Terms<A>& at) {
  if (i < 0 || i >= parameters(kernel)) throw std::out_of_range("the kernel has no such parameter");
  switch (kernel) {
    case PaperKernel::se:
      return length_derivative<A>(at.trend, at.d, theta(0));
    case PaperKernel::lp:
      if (i == 0) return lp_length_derivative<A>(at, theta(0));
      return lp_period_derivative<A>(at, theta(0), theta(1));
    case PaperKernel::se_lp:
      if (i == 0) return length_derivative<A>(at.trend, at.d, theta(0));
      if (i == 1) return lp_length_derivative<A>(at, theta(1));
      return lp_period_derivative<A>(at, theta(1), theta(2));
    case PaperKernel::co2:
      if (i == 0) return length_derivative<A>(at.trend, at.d, theta(0));
      if (i == 1) return length_derivative<A>(at.season, at.d, theta(1));
      return periodic_length_derivative<A>(at, theta(2));
  }
  throw std::logic_error("unknown kernel");
}

/// Terms of one pair of points at θ.
inline Terms<double> terms(PaperKernel kernel, const Vector& theta, double x, double y) {
  const Shape s = shape(kernel, theta);
  const double d = std::abs(x - y), sine = sine_term<double>(s, d);
  return {d, sine, trend_term<double>(s, d), season_term<double>(s, d, sine)};
}

/// Value k(x, y; θ) of a kernel.
inline double value(PaperKernel kernel, const Vector& theta, double x, double y) {
  const Terms<double> at = terms(kernel, theta, x, y);
  // k = E + P
  return at.trend + at.season;
}

/// Derivative ∂k(x, y; θ)/∂θ_i of a kernel in raw θ_i.
inline double derivative(PaperKernel kernel, const Vector& theta, Index i, double x, double y) {
  return derivative_from<double>(kernel, theta, i, terms(kernel, theta, x, y));
}

/// Matrix of all k(x_a, y_b; θ), entry by entry.
inline Matrix dense(PaperKernel kernel, const Vector& theta, const Vector& x, const Vector& y) {
  return Matrix::NullaryExpr(x.size(), y.size(), [&](Index a, Index b) { return value(kernel, theta, x(a), y(b)); });
}

/// Matrix of all ∂k(x_a, y_b; θ)/∂θ_i, entry by entry.
inline Matrix dense_derivative(PaperKernel kernel, const Vector& theta, Index i, const Vector& x, const Vector& y) {
  return Matrix::NullaryExpr(x.size(), y.size(),
                             [&](Index a, Index b) { return derivative(kernel, theta, i, x(a), y(b)); });
}

/// Block is one kernel matrix K(X, Y; θ) with its distances computed once; a new θ re-evaluates only the parts that it
/// changes. Of a symmetric block, only the lower triangle is kept.
class Block {
  /// Column b of a matrix, from the diagonal down where the block is symmetric.
  template <class M>
  auto column(M& matrix, Index b) const {
    return matrix.col(b).tail(symmetric_ ? matrix.rows() - b : matrix.rows()).array();
  }

 public:
  /// Block without values; set() gives them.
  Block(PaperKernel kernel, const Vector& x, const Vector& y, bool symmetric)
      : kernel_(kernel), symmetric_(symmetric), distance_(x.size(), y.size()) {
    // D_ab = |x_a − y_b|
    for (Index b = 0; b < y.size(); ++b) distance_.col(b) = (x.array() - y(b)).abs();
    sine_ = trend_ = season_ = k_ = Matrix::Zero(x.size(), y.size());
  }

  /// Parameters θ of the matrix from here on.
  void set(const Vector& theta) {
    theta_ = theta;
    const Shape s = shape(kernel_, theta);
    const bool new_sine = s.a2 != 0 && s.p != old_.p;
    const bool new_trend = s.a1 != 0 && s.l != old_.l;
    const bool new_season = s.a2 != 0 && (new_sine || s.m != old_.m || s.q != old_.q);
    old_ = s;
    for (Index b = 0; b < distance_.cols(); ++b) {
      const Eigen::ArrayXd d = column(distance_, b);
      if (new_sine) column(sine_, b) = sine_term<Eigen::ArrayXd>(s, d);
      if (new_trend) column(trend_, b) = trend_term<Eigen::ArrayXd>(s, d);
      if (new_season) column(season_, b) = season_term<Eigen::ArrayXd>(s, d, column(sine_, b));
      // K = E + P
      column(k_, b) = column(trend_, b) + column(season_, b);
    }
  }

  /// Product K v.
  Vector times(const Vector& v) const {
    if (symmetric_) return k_.selfadjointView<Eigen::Lower>() * v;
    return k_ * v;
  }

  /// Product Kᵀ v.
  Vector transposed_times(const Vector& v) const { return symmetric_ ? times(v) : Vector(k_.transpose() * v); }

  /// Product (∂K/∂θ_i) v.
  Vector derivative_times(Index i, const Vector& v) const {
    Matrix dk = Matrix::Zero(k_.rows(), k_.cols());
    for (Index b = 0; b < k_.cols(); ++b) {
      const Terms<Eigen::ArrayXd> at{column(distance_, b), column(sine_, b), column(trend_, b), column(season_, b)};
      column(dk, b) = derivative_from<Eigen::ArrayXd>(kernel_, theta_, i, at);
    }
    if (symmetric_) return dk.selfadjointView<Eigen::Lower>() * v;
    return dk * v;
  }

  /// Matrix K in full.
  Matrix full() const { return symmetric_ ? Matrix(k_.selfadjointView<Eigen::Lower>()) : k_; }

 private:
  static constexpr double none_ = std::numeric_limits<double>::quiet_NaN();
  PaperKernel kernel_;
  bool symmetric_;
  Vector theta_;
  Shape old_{none_, none_, none_, none_, none_, none_};
  Matrix distance_, sine_, trend_, season_, k_;
};

/// Algorithm1 is the paper's hold-out scheme: θ by descent on L_ρ, z_T by conjugate gradients, λ in closed form.
class Algorithm1 {
 public:
  /// Algorithm1 at iteration zero: the given θ⁰, z⁰ = C(perturbed)⁻¹ y_T by a factorisation, λ⁰ = lambda0 everywhere.
  Algorithm1(PaperKernel kernel, Split split, Vector theta, const Vector& perturbed, Rules rules)
      : split_(std::move(split)),
        rules_(std::move(rules)),
        tt_(kernel, split_.x_t, split_.x_t, true),
        vt_(kernel, split_.x_v, split_.x_t, false) {
    const Index p = parameters(kernel);
    if (theta.size() != p || perturbed.size() != p || rules_.armijo_start.size() != p || rules_.tolerance.size() != p)
      throw std::invalid_argument("θ, its perturbation and its rules need one entry per parameter of the kernel");
    tt_.set(perturbed);
    Matrix c = tt_.full();
    // z⁰ = (K_TT(θ⁰ + δ) + σ_e² I)⁻¹ y_T
    c.diagonal().array() += split_.noise;
    z_ = c.llt().solve(split_.y_t);
    lambda_ = Vector::Constant(split_.y_t.size(), rules_.lambda0);
    move_to(theta);
  }

  /// Iteration η + 1: the θ-step (11a) by coordinates with Armijo's rule, the z-step (11b), the λ-step (11c).
  void iterate() {
    descend();
    z_step();
    lambda_step();
  }

  /// Iteration η + 1 with the literal step (12), θ ← θ − μ ∇L_ρ, taken once and unguarded, for (11a).
  void iterate_literal(double mu) {
    gradient_step(mu);
    z_step();
    lambda_step();
  }

  /// Descent of the θ-step: each coordinate in turn makes Armijo steps until |∂L_ρ/∂θ_i| ≤ tolerance_i.
  void descend() {
    theta_steps_ = 0;
    for (Index i = 0; i < theta_.size(); ++i) {
      for (double g = partial(i); std::abs(g) > rules_.tolerance(i) && armijo(i, g); g = partial(i)) ++theta_steps_;
    }
  }

  /// Literal step (12), all coordinates at once.
  void gradient_step(double mu) {
    // θ ← θ − μ ∇L_ρ(θ)
    move_to(theta_ - mu * gradient());
    theta_steps_ = 1;
  }

  /// Conjugate gradients of the z-step on g(z) = bᵀz + zᵀΣz from the previous z, with the Fletcher–Reeves β, until a
  /// step has ‖Δz‖ ≤ z_change or n_T steps are made.
  void z_step() {
    const Vector b = linear_term();
    Vector g = twice_sigma(z_) + b;
    Vector d = -g;
    for (z_steps_ = 0; z_steps_ < z_.size() && g.squaredNorm() > 0;) {
      // μ₂ = argmin g(z + μd) = −gᵀd / (dᵀ 2Σ d)
      const double mu = -g.dot(d) / d.dot(twice_sigma(d));
      // z ← z + μ₂ d
      z_ += mu * d;
      ++z_steps_;
      if (std::abs(mu) * d.norm() <= rules_.z_change) break;
      // g⁺ = 2Σz + b
      const Vector next = twice_sigma(z_) + b;
      // d⁺ = −g⁺ + β d with β = ‖g⁺‖²/‖g‖²
      d = -next + next.squaredNorm() / g.squaredNorm() * d;
      g = next;
    }
  }

  /// Multiplier step (11c).
  void lambda_step() {
    // λ ← λ + ρ′ (C z − y_T)
    lambda_ += rules_.rho_dual * constraint();
  }

  /// Iterates θ, z_T and λ as they stand.
  const Vector& theta() const { return theta_; }
  const Vector& z() const { return z_; }
  const Vector& lambda() const { return lambda_; }

  /// Residual C(θ) z − y_T of the constraint.
  Vector constraint() const {
    // C z − y_T = K_TT z + σ_e² z − y_T
    return tt_.times(z_) + split_.noise * z_ - split_.y_t;
  }

  /// Residual y_V − K_VT(θ) z of the validation points.
  Vector residual() const { return split_.y_v - vt_.times(z_); }

  /// Lagrangian L_ρ(θ, z, λ) at the present iterates.
  double lagrangian() const {
    const Vector c = constraint();
    // L_ρ = ‖y_V − K_VT z‖² + λᵀ(C z − y_T) + ρ/2 ‖C z − y_T‖²
    return residual().squaredNorm() + lambda_.dot(c) + 0.5 * rules_.rho * c.squaredNorm();
  }

  /// Derivative ∂L_ρ/∂θ_i at the present iterates; it is the appendix's ∂g/∂θ_i with its terms collected.
  double partial(Index i) const {
    // ∂L_ρ/∂θ_i = −2 (y_V − K_VT z)ᵀ ∂K_VT z + (λ + ρ (C z − y_T))ᵀ ∂K_TT z
    return -2 * residual().dot(vt_.derivative_times(i, z_)) +
           (lambda_ + rules_.rho * constraint()).dot(tt_.derivative_times(i, z_));
  }

  /// Gradient ∇_θ L_ρ at the present iterates.
  Vector gradient() const {
    return Vector::NullaryExpr(theta_.size(), [this](Index i) { return partial(i); });
  }

  /// Gradient 2Σz + b of the z-step's objective at the present iterates.
  Vector z_gradient() const { return twice_sigma(z_) + linear_term(); }

  /// Steps of Armijo's rule that the last iteration accepted, over all coordinates; 1 after a literal step.
  int theta_steps() const { return theta_steps_; }

  /// Steps of the conjugate gradient method in the last iteration.
  int z_steps() const { return z_steps_; }

 private:
  /// Armijo's step along coordinate i with derivative g; false, with θ unchanged, when every step is lost in rounding:
  /// θ_i − t g rounds to θ_i or the demanded decrease slope t g² vanishes in L_ρ, as for every smaller t.
  bool armijo(Index i, double g) {
    const Vector from = theta_;
    const double start = lagrangian();
    for (double t = rules_.armijo_start(i);; t *= rules_.shrink) {
      Vector to = from;
      // θ_i⁺ = θ_i − t g
      to(i) -= t * g;
      // L_ρ(θ⁺) ≤ L_ρ(θ) − slope t g²
      const double bound = start - rules_.slope * t * g * g;
      if (to(i) == from(i) || !(bound < start)) break;
      if (!(to(i) > 0)) continue;
      move_to(to);
      if (lagrangian() <= bound) return true;
    }
    move_to(from);
    return false;
  }

  /// Linear term of the z-step's objective (13).
  Vector linear_term() const {
    // b = Cλ − ρ C y_T − 2 K_VTᵀ y_V
    return c_times(lambda_ - rules_.rho * split_.y_t) - 2 * vt_.transposed_times(split_.y_v);
  }

  /// Product 2Σv of the z-step's objective (13).
  Vector twice_sigma(const Vector& v) const {
    // 2Σv = 2 K_VTᵀ K_VT v + ρ C C v
    return 2 * vt_.transposed_times(vt_.times(v)) + rules_.rho * c_times(c_times(v));
  }

  /// Product C v.
  Vector c_times(const Vector& v) const {
    // C v = K_TT v + σ_e² v
    return tt_.times(v) + split_.noise * v;
  }

  /// Parameters θ and the two matrices that depend on them.
  void move_to(const Vector& theta) {
    theta_ = theta;
    tt_.set(theta_);
    vt_.set(theta_);
  }

  Split split_;
  Rules rules_;
  Block tt_, vt_;
  Vector theta_, z_, lambda_;
  int theta_steps_ = 0, z_steps_ = 0;
};

/// Solved is one fold at θ: the factorised C, z = C⁻¹y_T, K_VT and the residual r.
struct Solved {
  Eigen::LLT<Matrix> c;
  Vector z;
  Matrix k_vt;
  Vector r;
};

/// Solved fold by a Cholesky factorisation.
inline Solved solve(PaperKernel kernel, const Split& split, const Vector& theta) {
  Matrix c = dense(kernel, theta, split.x_t, split.x_t);
  // C = K_TT + σ_e² I
  c.diagonal().array() += split.noise;
  Solved at{Eigen::LLT<Matrix>(c), {}, dense(kernel, theta, split.x_v, split.x_t), {}};
  // z = C⁻¹ y_T
  at.z = at.c.solve(split.y_t);
  // r = y_V − K_VT z
  at.r = split.y_v - at.k_vt * at.z;
  return at;
}

/// Error Σ_k ‖y_V − K_VT C⁻¹y_T‖² over the folds at θ, by factorisations.
inline double pooled_error(PaperKernel kernel, const std::vector<Split>& folds, const Vector& theta) {
  double sum = 0;
  for (const Split& fold : folds) sum += solve(kernel, fold, theta).r.squaredNorm();
  return sum;
}

/// Gradient of pooled_error in log θ.
inline Vector pooled_gradient(PaperKernel kernel, const std::vector<Split>& folds, const Vector& theta) {
  Vector sum = Vector::Zero(theta.size());
  for (const Split& fold : folds) {
    const Solved at = solve(kernel, fold, theta);
    for (Index i = 0; i < theta.size(); ++i) {
      const Vector dc_z = dense_derivative(kernel, theta, i, fold.x_t, fold.x_t) * at.z;
      const Vector dk_z = dense_derivative(kernel, theta, i, fold.x_v, fold.x_t) * at.z;
      // ∂r/∂θ_i = −∂K_VT z + K_VT C⁻¹ ∂C z
      const Vector dr = at.k_vt * at.c.solve(dc_z) - dk_z;
      // ∂‖r‖²/∂log θ_i = 2 θ_i rᵀ ∂r/∂θ_i
      sum(i) += 2 * theta(i) * at.r.dot(dr);
    }
  }
  return sum;
}

}  // namespace gpcv::oracle
