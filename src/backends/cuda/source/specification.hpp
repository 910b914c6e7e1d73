/// What one generated kernel is specialised on besides the kernel expression.
#pragma once

#include "gpcv/kernel_program.hpp"

namespace gpcv::cuda {

/// `choose` finds the neighbours of each row point, `neighbours` what they explain.
enum class Task { apply, derivatives, contract, choose, neighbours };
/// Whether it needs k alone, without its derivatives.
constexpr bool wants_values(Task task) { return task != Task::derivatives && task != Task::contract; }

struct Specification {
  Task task = Task::apply;
  bool single = true;    ///< float pairs; sums across tiles are double either way
  int columns = 1;       ///< right-hand sides of one pass
  int rows = 1;          ///< row points of one thread
  int tile = 128;        ///< column points in shared memory
  int unroll = 1;        ///< column points a thread has under way
  int blocks = 1;        ///< of threads on one multiprocessor: the compiler's register budget
  int tiles_in_sum = 4;  ///< tiles between two additions to the double sum
  /// (a − b)² as −2ab + a² + b²: half the operations, for points near the origin only.
  bool by_products = false;
  /// So many of a thread's rows compute 2^x by polynomial, beside those that use the special-function unit.
  int polynomial_rows = 0;
  /// The derivatives computed, of p: first_theta … last_theta − 1.
  int first_theta = 0, last_theta = 0;
  /// Products on tensor cores, in three tf32 parts; float and apply only, columns a multiple of 8.
  bool tensor = false;

  int thetas() const { return last_theta - first_theta; }
};

constexpr int threads_per_block = 128;

/// Choices that measurements may override; the defaults are what measured best.
struct Tuning {
  bool tensor = true;        ///< tensor cores where there are any and enough columns
  bool products = true;      ///< distances by products where points are near the origin
  int rows = 0;              ///< of a thread; 0: as many as fit
  int polynomial_rows = -1;  ///< -1: where it pays
};

/// Column counts that kernels are made for, up to `most`; a pass with fewer columns is filled with zeros.
int width_for(int columns, int most);
/// From so many columns on tensor cores pay: on an H200, 0.61 against 0.46 of the multiply-adds at 48, 0.34 against
/// 0.40 at 16.
constexpr int least_tensor_columns = 32;
/// The most columns of one pass.
int widest(Task task, bool single, int thetas);
/// The most derivatives one pass computes.
constexpr int most_thetas = 24;

/// Fills rows, tile, unroll, blocks, polynomial_rows for the registers and shared memory there are.
Specification tuned(const KernelProgram& program, Specification specification, const Tuning& tuning = {});

}  // namespace gpcv::cuda
