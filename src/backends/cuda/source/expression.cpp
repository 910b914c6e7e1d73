#include "backends/cuda/source/expression.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace gpcv::cuda {
namespace {

using simd::Metric;
using simd::Profile;

/// From so many columns on, products save enough to be worth their norms.
constexpr int least_columns_by_products = 3;

/// Register i of the program is the product of `scale` and of the variable `name`.
struct Operand {
  std::vector<std::string> scale;
  std::string name;

  std::string text() const { return scale.empty() ? name : fmt::format("{} * {}", fmt::join(scale, " * "), name); }
};

/// Where a leaf's numbers stand in the array c of a point.
struct Slots {
  int x = -1, phase = -1, norm = -1;
};

class Writer {
 public:
  Writer(const KernelProgram& program, const ProgramLayout& layout, const Specification& specification)
      : program_(program), layout_(layout), spec_(specification), slots_(layout.leaves.size()) {
    for (std::size_t i = 0; i < slots_.size(); ++i) assign_slots(i);
  }

  ExpressionText write() {
    ExpressionText text;
    text.coordinates = coordinates_;
    text.load_row = load("a", "row", true);
    text.load_item = load("b", "col", false);
    if (wants_values(spec_.task)) {
      write_values(text);
    } else {
      text.gradient = gradient();
    }
    return text;
  }

  int coordinates() const { return coordinates_; }

 private:
  bool wants_gradient() const { return !wants_values(spec_.task); }
  const LeafLayout& leaf(std::size_t i) const { return layout_.leaves[i]; }
  bool is_leaf(std::size_t i) const { return program_.is_leaf(program_.code[i]); }

  void assign_slots(std::size_t i) {
    const LeafLayout& l = leaf(i);
    if (!is_leaf(i) || l.metric == Metric::none) return;
    const auto take = [&](int count) { return std::exchange(coordinates_, coordinates_ + count); };
    // The coordinate of a periodic kernel serves the derivative in log p only.
    if (l.metric != Metric::sine || (wants_gradient() && l.period_theta >= 0)) slots_[i].x = take(l.columns);
    if (l.phase >= 0) slots_[i].phase = take(l.columns);
    const bool distance = l.metric == Metric::distance || l.metric == Metric::distance_sine;
    // Matérn ½ has a kink at distance 0, where a product's rounding error shows as its square root.
    if (spec_.by_products && distance && l.columns >= least_columns_by_products && l.profile != Profile::matern12) {
      slots_[i].norm = take(1);
    }
  }

  std::string load(const char* point, const char* side, bool row) const {
    std::string out;
    auto line = std::back_inserter(out);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const LeafLayout& l = leaf(i);
      const auto copy = [&](int slot, int from) {
        for (int c = 0; slot >= 0 && c < l.columns; ++c) {
          fmt::format_to(line, "  {}.c[{}] = p.{}_x[{} * p.{}_stride + i];\n", point, slot + c, side, from + c, side);
        }
      };
      copy(slots_[i].x, l.x);
      copy(slots_[i].phase, l.phase);
      if (slots_[i].norm < 0) continue;
      // −|x|², and 2x on one side: m = −|a|² − |b|² + Σ 2a b
      fmt::format_to(line, "  {0}.c[{1}] = -{0}.c[{2}] * {0}.c[{2}];\n", point, slots_[i].norm, slots_[i].x);
      for (int c = 1; c < l.columns; ++c) {
        fmt::format_to(line, "  {0}.c[{1}] = fma_(-{0}.c[{2}], {0}.c[{2}], {0}.c[{1}]);\n", point, slots_[i].norm,
                       slots_[i].x + c);
      }
      for (int c = 0; row && c < l.columns; ++c) {
        fmt::format_to(line, "  {0}.c[{1}] += {0}.c[{1}];\n", point, slots_[i].x + c);
      }
    }
    return out;
  }

  template <class... T>
  void emit(fmt::format_string<T...> format, T&&... arguments) {
    body_ += "  ";
    fmt::format_to(std::back_inserter(body_), format, std::forward<T>(arguments)...);
    body_ += '\n';
  }

  static std::string weight(int at) { return fmt::format("p.weights[{}]", at); }

  /// d = a − b and the reduced turn t of column c, declared once.
  void difference(std::size_t i, int c) { emit("const real d{0}_{1} = a.c[{2}] - b.c[{2}];", i, c, slots_[i].x + c); }
  void turn(std::size_t i, int c) {
    emit("const real t{0}_{1} = reduced_turn(a.c[{2}] - b.c[{2}]);", i, c, slots_[i].phase + c);
  }
  /// `sum` += sign · (the part of column c in the metric's sum); declares it when first.
  void add_metric(std::size_t i, int c, const std::string& sum, bool negative, bool& first) {
    const LeafLayout& l = leaf(i);
    const char* sign = negative ? "-" : "";
    const auto term = [&](const std::string& x, const std::string& y) {
      if (first) {
        emit("real {} = {}{} * {};", sum, sign, x, y);
      } else {
        emit("{0} = fma_({1}{2}, {3}, {0});", sum, sign, x, y);
      }
      first = false;
    };
    if (l.metric == Metric::dot) {
      term(fmt::format("a.c[{}]", slots_[i].x + c), fmt::format("b.c[{}]", slots_[i].x + c));
    }
    if (l.metric == Metric::distance || l.metric == Metric::distance_sine) {
      const std::string d = fmt::format("d{}_{}", i, c);
      term(d, d);
    }
    if (l.phase >= 0) term(weight(l.sine_weight + c), fmt::format("sin_squared_pi(t{}_{})", i, c));
  }

  /// Declares m, the metric as the profiles want it.
  void metric(std::size_t i) {
    const LeafLayout& l = leaf(i);
    const std::string m = fmt::format("m{}", i);
    if (l.metric == Metric::none) return;
    if (slots_[i].norm >= 0) {
      // In this order: a sum of two norms alone is rounded up or down by the parity of their last bits, an error of
      // rank two that grows with n and makes K + σ²I indefinite where n k(x, x)/σ² is 2·10⁸.
      emit("real {} = a.c[{}];", m, slots_[i].norm);
      for (int c = 0; c < l.columns; ++c) {
        emit("{0} = fma_(a.c[{1}], b.c[{1}], {0});", m, slots_[i].x + c);
      }
      emit("{} += b.c[{}];", m, slots_[i].norm);
      if (l.phase >= 0) {
        for (int c = 0; c < l.columns; ++c) {
          turn(i, c);
          emit("{0} = fma_(-{1}, sin_squared_pi(t{2}_{3}), {0});", m, weight(l.sine_weight + c), i, c);
        }
      }
      if (l.profile != Profile::exponential) emit("{0} = min_({0}, real(0));", m);
      return;
    }
    bool first = true;
    for (int c = 0; c < l.columns; ++c) {
      if (l.metric != Metric::sine && l.metric != Metric::dot) difference(i, c);
      if (l.phase >= 0) turn(i, c);
      add_metric(i, c, m, l.metric != Metric::dot, first);
    }
  }

  /// Declares u, the value over its variance.
  void profile(std::size_t i) {
    switch (leaf(i).profile) {
      case Profile::exponential:
        return emit("const real u{0} = exp2_chosen(m{0}, polynomial);", i);
      case Profile::matern12:
        return emit("const real u{0} = exp2_unit(-sqrt_unit(-m{0}));", i);
      case Profile::matern32:
        emit("const real s{0} = sqrt_unit(-m{0}), e{0} = exp2_unit(-s{0});", i);
        // (1 + t) 2^−s, t = s ln 2
        return emit("const real u{0} = fma_(ln2 * s{0}, e{0}, e{0});", i);
      case Profile::matern52:
        emit("const real s{0} = sqrt_unit(-m{0}), e{0} = exp2_unit(-s{0}), h{0} = ln2 * s{0};", i);
        // (1 + t + t²/3) 2^−s
        return emit("const real u{0} = fma_(fma_(h{0}, third, real(1)) * h{0}, e{0}, e{0});", i);
      case Profile::rational:
        // (1 + q)^−α = 2^−(α log2(1 + q)), q = −m
        return emit("const real u{0} = exp2_unit(-min_({1} * log2_of_one_plus(-m{0}), real(1e30)));", i,
                    weight(leaf(i).shape));
      case Profile::scaled:
        return emit("const real u{0} = m{0};", i);
      case Profile::constant:
        return emit("const real u{} = real(1);", i);
    }
  }

  void write_values(ExpressionText& text) {
    std::vector<Operand> registers;
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instruction& code = program_.code[i];
      if (is_leaf(i)) {
        metric(i);
        profile(i);
        registers.push_back({{weight(leaf(i).variance)}, fmt::format("u{}", i)});
        continue;
      }
      const Operand& left = registers[static_cast<std::size_t>(code.left)];
      const Operand& right = registers[static_cast<std::size_t>(code.right)];
      Operand result{{}, fmt::format("u{}", i)};
      if (code.op == Op::multiply) {
        result.scale = left.scale;
        result.scale.insert(result.scale.end(), right.scale.begin(), right.scale.end());
        emit("const real u{} = {} * {};", i, left.name, right.name);
      } else if (left.scale.empty()) {
        emit("const real u{} = {} + {};", i, left.name, right.text());
      } else {
        emit("const real u{} = fma_({}, {}, {});", i, fmt::join(left.scale, " * "), left.name, right.text());
      }
      registers.push_back(std::move(result));
    }
    emit("return {};", registers.back().name);
    text.value = std::move(body_);
    const std::vector<std::string>& scale = registers.back().scale;
    text.scale = scale.empty() ? "real(1)" : fmt::format("{}", fmt::join(scale, " * "));
  }

  /// Declares k of a leaf and what its derivatives need.
  void value_and_slopes(std::size_t i) {
    if (leaf(i).metric == Metric::none) return emit("const real k{} = {};", i, weight(leaf(i).variance));
    differences(i);
    sums(i);
    value_and_length_slope(i);
    period_slope(i);
  }

  void differences(std::size_t i) {
    const LeafLayout& l = leaf(i);
    for (int c = 0; c < l.columns; ++c) {
      if (slots_[i].x >= 0 && l.metric != Metric::dot) difference(i, c);
      if (l.phase >= 0) turn(i, c);
    }
  }

  /// Declares the sum q_g of each group of columns that share a length scale, that of the other columns, and q, the sum
  /// of all.
  void sums(std::size_t i) {
    const LeafLayout& l = leaf(i);
    std::vector<bool> grouped(static_cast<std::size_t>(l.columns), false);
    std::vector<std::string> names;
    const auto sum_of = [&](const std::string& name, const std::vector<int>& columns) {
      bool first = true;
      for (int c : columns) add_metric(i, c, name, false, first);
      if (!first) names.push_back(name);
    };
    for (std::size_t g = 0; g < l.groups.size(); ++g) {
      std::vector<int> columns;
      for (int c = l.groups[g].first; c < l.groups[g].first + l.groups[g].count; ++c) {
        columns.push_back(c);
        grouped[static_cast<std::size_t>(c)] = true;
      }
      sum_of(fmt::format("q{}_{}", i, g), columns);
    }
    std::vector<int> others;
    for (int c = 0; c < l.columns; ++c) {
      if (!grouped[static_cast<std::size_t>(c)]) others.push_back(c);
    }
    sum_of(fmt::format("q{}_rest", i), others);
    emit("const real q{} = {};", i, fmt::join(names, " + "));
  }

  /// Declares k and the slope of the lengths, ∂k/∂log l_g = slope · q_g; of a rational quadratic also ∂k/∂log α.
  void value_and_length_slope(std::size_t i) {
    const LeafLayout& l = leaf(i);
    const std::string variance = weight(l.variance);
    switch (l.profile) {
      case Profile::exponential:
        emit("const real k{0} = {1} * exp2_unit(-q{0}), slope{0} = (2 * ln2) * k{0};", i, variance);
        break;
      case Profile::matern12:
        emit("const real s{0} = sqrt_unit(q{0}), k{0} = {1} * exp2_unit(-s{0});", i, variance);
        emit("const real slope{0} = s{0} > 0 ? ln2 * k{0} / s{0} : real(0);", i);
        break;
      case Profile::matern32:
        emit("const real s{0} = sqrt_unit(q{0}), e{0} = {1} * exp2_unit(-s{0});", i, variance);
        emit("const real k{0} = fma_(ln2 * s{0}, e{0}, e{0}), slope{0} = (ln2 * ln2) * e{0};", i);
        break;
      case Profile::matern52:
        emit("const real s{0} = sqrt_unit(q{0}), e{0} = {1} * exp2_unit(-s{0}), h{0} = ln2 * s{0};", i, variance);
        emit("const real k{0} = fma_(fma_(h{0}, third, real(1)) * h{0}, e{0}, e{0});", i);
        emit("const real slope{0} = (ln2 * ln2 * third) * fma_(h{0}, e{0}, e{0});", i);
        break;
      case Profile::rational:
        emit("const real l{0} = min_({1} * log2_of_one_plus(q{0}), real(1e30));", i, weight(l.shape));
        emit("const real k{0} = {1} * exp2_unit(-l{0}), n{0} = {2} / (1 + q{0}), slope{0} = 2 * k{0} * n{0};", i,
             variance, weight(l.shape));
        // ∂k/∂log α = k (α q/(1 + q) − α ln(1 + q))
        emit("const real shape{0} = k{0} * fma_(-ln2, l{0}, q{0} * n{0});", i);
        break;
      case Profile::scaled:
        emit("const real k{0} = {1} * q{0}, slope{0} = -2 * {1};", i, variance);
        break;
      case Profile::constant:
        break;
    }
  }

  /// Declares turn, ∂ log k/∂ log p = Σ weight (a − b) sin(2π(f − g)).
  void period_slope(std::size_t i) {
    const LeafLayout& l = leaf(i);
    if (l.period_theta < 0) return;
    for (int c = 0; c < l.columns; ++c) {
      const std::string term = fmt::format("{} * d{}_{}, sin_two_pi(t{}_{})", weight(l.period_weight + c), i, c, i, c);
      if (c == 0) {
        emit("real turn{} = product({});", i, term);
      } else {
        emit("turn{0} = fma_({1}, turn{0});", i, term);
      }
    }
  }

  /// g[θ] gains factor · other.
  void gain(int theta, const std::string& factor, const std::string& other) {
    if (theta < spec_.first_theta || theta >= spec_.last_theta) return;
    const auto at = static_cast<std::size_t>(theta - spec_.first_theta);
    if (spec_.task == Task::derivatives && !gained_[at]) {
      emit("g[{}] = {} * {};", at, factor, other);
    } else {
      emit("g[{0}] = fma_({1}, {2}, g[{0}]);", at, factor, other);
    }
    gained_[at] = true;
  }

  std::string gradient() {
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instruction& code = program_.code[i];
      if (is_leaf(i)) {
        value_and_slopes(i);
      } else {
        emit("const real k{} = k{} {} k{};", i, code.left, code.op == Op::add ? '+' : '*', code.right);
      }
    }
    // Reverse sweep: adjoint of a register = seed · ∂k/∂register.
    gained_.assign(static_cast<std::size_t>(spec_.thetas()), false);
    std::vector<std::vector<std::string>> adjoints(program_.code.size());
    adjoints.back().emplace_back("seed");
    for (std::size_t i = program_.code.size(); i-- > 0;) {
      if (adjoints[i].empty()) continue;
      emit("const real w{} = {};", i, fmt::join(adjoints[i], " + "));
      const Instruction& code = program_.code[i];
      if (is_leaf(i)) {
        leaf_gradient(i);
        continue;
      }
      const auto left = static_cast<std::size_t>(code.left), right = static_cast<std::size_t>(code.right);
      const bool sum = code.op == Op::add;
      adjoints[left].push_back(sum ? fmt::format("w{}", i) : fmt::format("w{} * k{}", i, right));
      adjoints[right].push_back(sum ? fmt::format("w{}", i) : fmt::format("w{} * k{}", i, left));
    }
    for (std::size_t t = 0; t < gained_.size(); ++t) {
      if (spec_.task == Task::derivatives && !gained_[t]) emit("g[{}] = real(0);", t);
    }
    return std::move(body_);
  }

  void leaf_gradient(std::size_t i) {
    const LeafLayout& l = leaf(i);
    const std::string w = fmt::format("w{}", i), k = fmt::format("k{}", i);
    gain(l.variance_theta, w, k);
    gain(l.shape_theta, w, fmt::format("shape{}", i));
    if (!l.groups.empty()) {
      emit("const real z{0} = w{0} * slope{0};", i);
      for (std::size_t g = 0; g < l.groups.size(); ++g) {
        gain(l.groups[g].theta, fmt::format("z{}", i), fmt::format("q{}_{}", i, g));
      }
    }
    gain(l.period_theta, w, fmt::format("(k{0} * turn{0})", i));
  }

  const KernelProgram& program_;
  const ProgramLayout& layout_;
  const Specification& spec_;
  std::vector<Slots> slots_;
  std::vector<bool> gained_;
  int coordinates_ = 0;
  std::string body_;
};

}  // namespace

ExpressionText write_expression(const KernelProgram& program, const ProgramLayout& layout,
                                const Specification& specification) {
  return Writer(program, layout, specification).write();
}

int coordinates_of(const KernelProgram& program, const ProgramLayout& layout, const Specification& specification) {
  return Writer(program, layout, specification).coordinates();
}

}  // namespace gpcv::cuda
