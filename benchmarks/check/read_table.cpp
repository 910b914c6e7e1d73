/// Reads a table as fit does, and nothing else: the baseline of `gpcv check`.
/// Usage: read_table DATA TARGET
#include <fmt/format.h>

#include <cstdlib>

#include "core/clock.hpp"
#include "gpcv/dataset.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  const gpcv::Stopwatch watch;
  gpcv::ReadOptions options;
  options.target = argv[2];
  const gpcv::Dataset data = gpcv::read_dataset(argv[1], options);
  fmt::print("{} rows in {:.3f} s\n", data.rows(), watch.seconds());
  return EXIT_SUCCESS;
}
