#include <cstddef>

#include "backends/simd/program/tile_plan.hpp"

namespace gpcv::simd {
namespace {

class ValuePlanner {
 public:
  explicit ValuePlanner(const KernelProgram& program)
      : program_(program), uses_(program.code.size(), 0), shared_tile_(program.code.size(), -1) {
    for (const Instruction& i : program.code) {
      if (program.is_leaf(i)) continue;
      ++uses_[static_cast<std::size_t>(i.left)];
      ++uses_[static_cast<std::size_t>(i.right)];
    }
  }

  ValuePlan plan() {
    plan_.tiles = 1;
    emit(static_cast<int>(program_.code.size()) - 1, 0, Combine::set);
    return std::move(plan_);
  }

 private:
  const Instruction& at(int i) const { return program_.code[static_cast<std::size_t>(i)]; }
  Combine combination(int i) const { return at(i).op == Op::add ? Combine::add : Combine::multiply; }

  int new_tile() {
    if (free_.empty()) return plan_.tiles++;
    const int tile = free_.back();
    free_.pop_back();
    return tile;
  }

  /// Emits the steps of tile ∘= register i.
  void emit(int i, int tile, Combine how) {
    if (program_.is_leaf(at(i))) {
      plan_.steps.push_back({i, how, tile, -1});
    } else if (uses_[static_cast<std::size_t>(i)] > 1) {
      int& shared = shared_tile_[static_cast<std::size_t>(i)];
      if (shared < 0) {
        shared = plan_.tiles++;
        emit_operands(i, shared);
      }
      plan_.steps.push_back({-1, how, tile, shared});
    } else if (how == Combine::set) {
      emit_operands(i, tile);
    } else if (how == combination(i)) {
      // t + (a + b) = (t + a) + b, and the same for products
      emit(at(i).left, tile, how);
      emit(at(i).right, tile, how);
    } else {
      const int own = new_tile();
      emit_operands(i, own);
      plan_.steps.push_back({-1, how, tile, own});
      free_.push_back(own);
    }
  }

  void emit_operands(int i, int tile) {
    int first = at(i).left, second = at(i).right;
    // The leaf comes last, so that its sweep can continue with the product with a vector.
    if (program_.is_leaf(at(first))) std::swap(first, second);
    emit(first, tile, Combine::set);
    emit(second, tile, combination(i));
  }

  const KernelProgram& program_;
  std::vector<int> uses_, shared_tile_;
  std::vector<int> free_;
  ValuePlan plan_;
};

}  // namespace

ValuePlan plan_values(const KernelProgram& program) { return ValuePlanner(program).plan(); }

}  // namespace gpcv::simd
