#include "backends/cuda/source/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backends/cuda/source/expression.hpp"
#include "backends/cuda/source/layout.hpp"
#include "gpcv/error.hpp"

namespace gpcv::cuda {
namespace {

// On an H200 with se(ard), d = 8, 10 columns take about a tenth less time than 12, 20 an eighth less than 24, and 40 an
// eleventh less than 48; 2 or 3 take a twentieth less than 4. Six more kernels would take longer to compile than that
// saves.
constexpr std::array all_widths{1, 4, 6, 8, 12, 16, 24, 32, 48};

/// The 32-bit registers for the points and sums of a thread: about half of its maximum.
constexpr int register_budget = 120;
/// The shared memory of a tile: every device provides 48 KiB by default.
constexpr int tile_bytes = 40 * 1024;

}  // namespace

int widest(Task task, bool single, int thetas) {
  switch (task) {
    case Task::apply:
      return single ? 48 : 24;
    case Task::derivatives:
      return std::max(1, (single ? 48 : 24) / std::max(thetas, 1));
    case Task::contract:
      return single ? 16 : 8;
    case Task::choose:
    case Task::neighbours:
    case Task::entries:
      return 1;
  }
  return 1;
}

std::span<const int> widths() { return all_widths; }

int width_for(int columns, int most) {
  const auto found = std::lower_bound(all_widths.begin(), all_widths.end(), columns);
  return found == all_widths.end() ? most : std::min(*found, most);
}

Specification specified(const KernelProgram& program, Specification s, int capability, const Tuning& tuning) {
  const bool apply = s.task == Task::apply;
  // Derivatives and contractions have as many columns as there are folds, in all of a training.
  const int most = widest(s.task, s.single, std::max(1, s.task == Task::derivatives ? s.thetas() : 1));
  s.columns = apply ? width_for(s.columns, most) : std::min(s.columns, most);
  s.by_products = apply && s.by_products;
  // Compute capability 8.0 is the first with tf32.
  s.tensor = tuning.tensor && s.single && apply && s.columns >= least_tensor_columns && capability >= 80;
  return tuned(program, s, tuning);
}

Specification tuned(const KernelProgram& program, Specification s, const Tuning& tuning) {
  if (s.task == Task::choose || s.task == Task::neighbours) {
    // 32 sums in double with their current and next operands take more than 128 registers.
    s.blocks = s.task == Task::choose ? 4 : 2;
    return s;
  }
  if (s.tensor) s.columns = (s.columns + 7) / 8 * 8;
  const int coordinates = coordinates_of(program, layout_of(program), s);
  const int words = s.single ? 1 : 2;
  int numbers = coordinates + s.columns * (s.task == Task::derivatives ? s.thetas() : 1);
  if (s.task == Task::contract) numbers += 3 * s.thetas() / words;
  s.rows = tuning.rows > 0 ? tuning.rows : (s.task == Task::apply ? 8 : 4);
  while (s.rows > 1 && s.rows * numbers * words > register_budget) s.rows /= 2;
  // A tensor kernel stores v in two parts; a thread has four row points, and two sums of a sixteenth of 32 rows each.
  if (s.tensor) s.rows = 1;
  const int item = ((coordinates + s.columns * (s.tensor ? 2 : 1)) * 4 * words + 15) / 16 * 16;
  s.tile = s.tensor ? 64 : 128;
  while (s.tile > (s.tensor ? 8 : 1) && s.tile * item > tile_bytes) s.tile /= 2;
  if (s.tile * item > tile_bytes) {
    throw InputError(fmt::format("the cuda backend has no room for {} scaled inputs of a point", coordinates),
                     Remedy::use_processor);
  }
  // With three blocks at 48 columns and d = 8 an H200 reaches 0.61 of its peak multiply-adds; with two 0.57, with four
  // 0.55.
  const int registers = s.tensor ? 4 * coordinates + 2 * s.columns + 36 : s.rows * numbers * words + 40;
  s.blocks = std::clamp(65536 / (threads_per_block * registers), 1, 8);
  // Further unrolling would exceed the registers.
  s.unroll = numbers * words > 24 ? 1 : (numbers * words > 4 ? 2 : 4);
  s.tiles_in_sum = 512 / s.tile;
  // A cheap expression with one column is limited by the special-function unit, so two rows of eight use the
  // polynomial.
  if (s.task == Task::apply && s.single && coordinates == 1 && s.columns == 1) s.polynomial_rows = s.rows / 4;
  if (tuning.polynomial_rows >= 0) s.polynomial_rows = tuning.polynomial_rows;
  return s;
}

}  // namespace gpcv::cuda
