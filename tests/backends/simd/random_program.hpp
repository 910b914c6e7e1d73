/// Kernel programs for tests: written by hand, or random trees.
#pragma once

#include <random>
#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv::simd {

/// Builds a program step by step; every new parameter is free unless held.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(int inputs) { program_.inputs = inputs; }

  int slot(double value, bool held = false);
  /// A leaf over `columns` with the given length slots (as many, or one for all); returns its register.
  int leaf(Op op, const std::vector<int>& columns, const std::vector<int>& lengths, int variance, int period = -1,
           int shape = -1);
  int combine(Op op, int left, int right);
  const KernelProgram& program() const { return program_; }

 private:
  KernelProgram program_;
};

/// One leaf with one length scale for all columns, or one each.
KernelProgram single_leaf(Op op, int inputs, bool ard);
/// se + lp on every column.
KernelProgram se_plus_lp(int inputs);
/// A random expression with `leaves` leaves, tied and held parameters, registers used twice.
KernelProgram random_program(int inputs, int leaves, std::mt19937& random);

/// n points in [−2, 2]^d.
Matrix random_points(Index n, Index d, std::mt19937& random);
Matrix random_columns(Index n, Index r, std::mt19937& random);

}  // namespace gpcv::simd
