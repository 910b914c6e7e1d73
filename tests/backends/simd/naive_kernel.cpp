#include "naive_kernel.hpp"

#include <cmath>
#include <numbers>

namespace gpcv::simd {
namespace {

class Evaluation {
 public:
  Evaluation(const KernelProgram& program, const double* x, const double* x2) : program_(program), x_(x), x2_(x2) {}

  NaiveValue of(int index) {
    const Instruction& i = program_.code[static_cast<std::size_t>(index)];
    if (program_.is_leaf(i)) return leaf(i);
    const NaiveValue a = of(i.left), b = of(i.right);
    NaiveValue out{i.op == Op::add ? a.value + b.value : a.value * b.value, zeros()};
    for (std::size_t t = 0; t < out.gradient.size(); ++t) {
      out.gradient[t] =
          i.op == Op::add ? a.gradient[t] + b.gradient[t] : a.value * b.gradient[t] + b.value * a.gradient[t];
    }
    return out;
  }

 private:
  std::vector<double> zeros() const { return std::vector<double>(static_cast<std::size_t>(program_.parameters)); }
  double value(int slot) const { return slot < 0 ? 1 : program_.values[static_cast<std::size_t>(slot)]; }
  void add(NaiveValue& out, int slot, double derivative) const {
    const int theta = slot < 0 ? -1 : program_.theta[static_cast<std::size_t>(slot)];
    if (theta >= 0) out.gradient[static_cast<std::size_t>(theta)] += derivative;
  }

  NaiveValue leaf(const Instruction& i) {
    constexpr double pi = std::numbers::pi;
    NaiveValue out{0, zeros()};
    const double s2 = value(i.variance), p = value(i.period), a = value(i.shape);
    double r2 = 0, sines = 0, dot = 0;
    struct Column {
      int slot;
      double q, sine, dot, turn;
    };
    std::vector<Column> columns;
    for (int c = 0; c < (i.op == Op::constant ? 0 : i.column_count); ++c) {
      const auto at = static_cast<std::size_t>(i.first_column + c);
      const int slot = program_.lengths[at];
      const double l = value(slot), xa = x_[program_.columns[at]], xb = x2_[program_.columns[at]];
      const double delta = xa - xb, s = std::sin(pi * delta / p);
      columns.push_back({slot, (delta / l) * (delta / l), s * s / (l * l), xa * xb / (l * l),
                         2 * pi * delta / p * std::sin(2 * pi * delta / p) / (l * l)});
      r2 += columns.back().q;
      sines += columns.back().sine;
      dot += columns.back().dot;
    }
    const double r = std::sqrt(r2), base = 1 + r2 / (2 * a);
    // ∂k/∂log l_c = per_q q_c + per_sine sin²_c/l_c² + per_dot x_c x'_c/l_c²
    double per_q = 0, per_sine = 0, per_dot = 0;
    switch (i.op) {
      case Op::se:
        per_q = out.value = s2 * std::exp(-r2 / 2);
        break;
      case Op::lp:
        per_q = out.value = s2 * std::exp(-2 * sines - r2 / 2);
        per_sine = 4 * out.value;
        break;
      case Op::periodic:
        out.value = s2 * std::exp(-2 * sines);
        per_sine = 4 * out.value;
        break;
      case Op::matern12:
        out.value = s2 * std::exp(-r);
        per_q = r > 0 ? out.value / r : 0;
        break;
      case Op::matern32:
        out.value = s2 * (1 + std::sqrt(3) * r) * std::exp(-std::sqrt(3) * r);
        per_q = 3 * s2 * std::exp(-std::sqrt(3) * r);
        break;
      case Op::matern52:
        out.value = s2 * (1 + std::sqrt(5) * r + 5 * r2 / 3) * std::exp(-std::sqrt(5) * r);
        per_q = 5.0 / 3 * s2 * (1 + std::sqrt(5) * r) * std::exp(-std::sqrt(5) * r);
        break;
      case Op::rq:
        out.value = s2 * std::pow(base, -a);
        per_q = out.value / base;
        add(out, i.shape, out.value * (r2 / (2 * base) - a * std::log(base)));
        break;
      case Op::linear:
        out.value = s2 * dot;
        per_dot = -2 * s2;
        break;
      case Op::constant:
        out.value = s2;
        break;
      case Op::add:
      case Op::multiply:
        break;
    }
    add(out, i.variance, out.value);
    for (const Column& c : columns) {
      add(out, c.slot, per_q * c.q + per_sine * c.sine + per_dot * c.dot);
      if (i.op == Op::lp || i.op == Op::periodic) add(out, i.period, out.value * c.turn);
    }
    return out;
  }

  const KernelProgram& program_;
  const double* x_;
  const double* x2_;
};

}  // namespace

NaiveValue naive_kernel(const KernelProgram& program, const double* x, const double* x2) {
  return Evaluation(program, x, x2).of(static_cast<int>(program.code.size()) - 1);
}

NaiveMatrices naive_matrices(const KernelProgram& program, ConstView x1, ConstView x2) {
  const Matrix points1 = x1.transpose(), points2 = x2.transpose();
  NaiveMatrices out;
  out.k.resize(x1.rows(), x2.rows());
  out.dk.assign(static_cast<std::size_t>(program.parameters), out.k);
  for (Index i = 0; i < x1.rows(); ++i) {
    for (Index j = 0; j < x2.rows(); ++j) {
      const NaiveValue pair = naive_kernel(program, points1.col(i).data(), points2.col(j).data());
      out.k(i, j) = pair.value;
      for (std::size_t t = 0; t < out.dk.size(); ++t) out.dk[t](i, j) = pair.gradient[t];
    }
  }
  return out;
}

}  // namespace gpcv::simd
