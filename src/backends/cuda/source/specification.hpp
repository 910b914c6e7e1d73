/// The parameters, besides the kernel expression, for which a kernel is generated.
#pragma once

#include <span>

#include "gpcv/kernel_program.hpp"

namespace gpcv::cuda {

/// The task of a kernel: `choose` finds the neighbours of each row point, `neighbours` the variance that they explain,
/// `entries` stores K.
enum class Task { apply, derivatives, contract, choose, neighbours, entries };
/// Whether the task needs k alone, without its derivatives.
constexpr bool wants_values(Task task) { return task != Task::derivatives && task != Task::contract; }

struct Specification {
  Task task = Task::apply;
  bool single = true;    ///< float pairs; sums across tiles are double either way
  int columns = 1;       ///< right-hand sides of one pass
  int rows = 1;          ///< row points of one thread
  int tile = 128;        ///< column points in shared memory
  int unroll = 1;        ///< column points that a thread processes concurrently
  int blocks = 1;        ///< blocks of threads per multiprocessor: determines the compiler's register budget
  int tiles_in_sum = 4;  ///< tiles between two additions to the double sum
  /// Computes (a − b)² as −2ab + a² + b²: half the operations, only for points near the origin.
  bool by_products = false;
  /// The number of a thread's rows that compute 2^x by a polynomial; the others use the special-function unit.
  int polynomial_rows = 0;
  /// The derivatives that the kernel computes: first_theta … last_theta − 1 of p.
  int first_theta = 0, last_theta = 0;
  /// Uses tensor cores, with three tf32 products; only for float and `apply`, with a multiple of 8 columns.
  bool tensor = false;

  int thetas() const { return last_theta - first_theta; }
};

constexpr int threads_per_block = 128;

/// Choices that a measurement may override; the defaults were the fastest.
struct Tuning {
  bool tensor = true;        ///< use tensor cores if the device has them and there are enough columns
  bool products = true;      ///< compute distances by products for points near the origin
  int rows = 0;              ///< row points of a thread; 0: as many as fit
  int polynomial_rows = -1;  ///< -1: chosen automatically
};

/// The widths of the products K v, so few because each is a kernel to compile: conjugate gradients lose their columns
/// one by one, and a pass with fewer columns is padded with zeros. The width depends on nothing but the number of
/// columns, never on what is compiled already, because kernels of different widths round differently.
std::span<const int> widths();
/// The smallest width for this many columns, at most `most`.
int width_for(int columns, int most);
/// The number of columns from which tensor cores are faster: on an H200 they reach 0.61 of the peak multiply-adds
/// instead of 0.46 at 48 columns, but 0.34 instead of 0.40 at 16.
constexpr int least_tensor_columns = 32;
/// The largest number of columns of one pass.
int widest(Task task, bool single, int thetas);
/// The largest number of derivatives that one pass computes.
constexpr int most_thetas = 24;

/// The specification of a kernel for a task, a precision, columns, derivatives and, where the points allow it,
/// distances by products, on a device of this compute capability.
Specification specified(const KernelProgram& program, Specification asked, int capability, const Tuning& tuning = {});
/// Sets rows, tile, unroll, blocks and polynomial_rows for the available registers and shared memory.
Specification tuned(const KernelProgram& program, Specification specification, const Tuning& tuning = {});

}  // namespace gpcv::cuda
