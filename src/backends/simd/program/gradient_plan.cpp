#include <cstddef>

#include "backends/simd/program/prepared_program.hpp"
#include "backends/simd/program/tile_plan.hpp"

namespace gpcv::simd {
namespace {

constexpr int unit = -1;  ///< an adjoint that is 1 everywhere
constexpr int unset = -2;

class GradientPlanner {
  using Kind = GradientStep::Kind;

 public:
  GradientPlanner(const KernelProgram& program, bool seeded)
      : program_(program),
        size_(program.code.size()),
        reached_(size_),
        active_(size_),
        needed_(size_),
        uses_(size_),
        value_(size_, -1),
        slope_(size_, -1),
        shape_(size_, -1),
        adjoint_(size_, unset) {
    if (seeded) plan_.seed = plan_.tiles++;
  }

  GradientPlan plan() {
    mark();
    for (std::size_t i = 0; i < size_; ++i) {
      if (reached_[i] && needed_[i]) emit_value(i);
    }
    product_ = plan_.tiles++;
    receive(size_ - 1, plan_.seed);
    for (std::size_t i = size_; i-- > 0;) {
      if (reached_[i] && active_[i] && !is_leaf(i)) emit_adjoints(i);
    }
    return std::move(plan_);
  }

 private:
  const Instruction& at(std::size_t i) const { return program_.code[i]; }
  bool is_leaf(std::size_t i) const { return program_.is_leaf(at(i)); }
  std::size_t left(std::size_t i) const { return static_cast<std::size_t>(at(i).left); }
  std::size_t right(std::size_t i) const { return static_cast<std::size_t>(at(i).right); }

  void mark() {
    reached_[size_ - 1] = 1;
    for (std::size_t i = size_; i-- > 0;) {
      if (!reached_[i] || is_leaf(i)) continue;
      for (std::size_t operand : {left(i), right(i)}) {
        reached_[operand] = 1;
        ++uses_[operand];
      }
    }
    for (std::size_t i = 0; i < size_; ++i) {
      active_[i] = is_leaf(i) ? has_free_parameter(program_, at(i)) : active_[left(i)] || active_[right(i)];
      // A sweep that sums the derivatives of a leaf evaluates the leaf again.
      if (is_leaf(i)) needed_[i] = active_[i] && plan_.seed < 0;
    }
    for (std::size_t i = size_; i-- > 0;) {
      if (!reached_[i] || is_leaf(i)) continue;
      const bool product = at(i).op == Op::multiply;
      // ∂(ab) = b ∂a + a ∂b: the value of a factor is needed if the other factor has derivatives.
      if (needed_[i] || (product && active_[right(i)])) needed_[left(i)] = 1;
      if (needed_[i] || (product && active_[left(i)])) needed_[right(i)] = 1;
    }
  }

  void emit_value(std::size_t i) {
    GradientStep step;
    step.tile = value_[i] = plan_.tiles++;
    if (is_leaf(i)) {
      step.kind = Kind::leaf_value;
      step.leaf = static_cast<int>(i);
      // If ∂k/∂log l is not a constant times k times the metric, its factor has a tile of its own.
      if (active_[i] && plan_.seed < 0 && has_slope(at(i).op)) {
        step.slope = slope_[i] = plan_.tiles++;
        if (at(i).op == Op::rq) step.shape = shape_[i] = plan_.tiles++;
      }
    } else {
      step.kind = Kind::combine;
      step.how = at(i).op == Op::add ? Combine::add : Combine::multiply;
      step.left = value_[left(i)];
      step.right = value_[right(i)];
    }
    plan_.steps.push_back(step);
  }

  /// Passes the adjoint in `tile` to register i. A leaf uses it at once; a combination with several uses accumulates
  /// its adjoints.
  void receive(std::size_t i, int tile) {
    if (is_leaf(i)) {
      GradientStep step;
      step.kind = Kind::leaf_gradient;
      step.leaf = static_cast<int>(i);
      step.tile = value_[i];
      step.slope = slope_[i];
      step.shape = shape_[i];
      step.left = tile;
      if (active_[i]) plan_.steps.push_back(step);
      return;
    }
    if (uses_[i] < 2 && tile != product_) {
      adjoint_[i] = tile;
      return;
    }
    const bool first = adjoint_[i] == unset;
    if (first) adjoint_[i] = plan_.tiles++;
    GradientStep step;
    step.kind = Kind::accumulate;
    step.how = first ? Combine::set : Combine::add;
    step.tile = adjoint_[i];
    step.left = tile;
    plan_.steps.push_back(step);
  }

  void emit_adjoints(std::size_t i) {
    const int adjoint = adjoint_[i];
    for (bool is_left : {true, false}) {
      const std::size_t operand = is_left ? left(i) : right(i);
      if (!active_[operand]) continue;
      if (at(i).op == Op::add) {
        receive(operand, adjoint);
      } else if (adjoint == unit) {
        receive(operand, value_[is_left ? right(i) : left(i)]);
      } else {
        GradientStep step;
        step.kind = Kind::combine;
        step.how = Combine::multiply;
        step.tile = product_;
        step.left = adjoint;
        step.right = value_[is_left ? right(i) : left(i)];
        plan_.steps.push_back(step);
        receive(operand, product_);
      }
    }
  }

  const KernelProgram& program_;
  std::size_t size_;
  std::vector<char> reached_, active_, needed_;
  std::vector<int> uses_;
  std::vector<int> value_, slope_, shape_, adjoint_;  ///< tiles, by instruction
  int product_ = -1;                                  ///< adjoint times factor, used at once
  GradientPlan plan_;
};

}  // namespace

bool has_free_parameter(const KernelProgram& program, const Instruction& leaf) {
  const auto is_free = [&](int slot) { return slot >= 0 && program.theta[static_cast<std::size_t>(slot)] >= 0; };
  if (is_free(leaf.variance) || is_free(leaf.period) || is_free(leaf.shape)) return true;
  if (leaf.op == Op::constant) return false;
  for (int c = 0; c < leaf.column_count; ++c) {
    if (is_free(program.lengths[static_cast<std::size_t>(leaf.first_column + c)])) return true;
  }
  return false;
}

GradientPlan plan_gradients(const KernelProgram& program, bool seeded) {
  return GradientPlanner(program, seeded).plan();
}

}  // namespace gpcv::simd
