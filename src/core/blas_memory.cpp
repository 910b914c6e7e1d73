#include "core/blas_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv {
namespace {

/// The buffer of one calling thread, in builds for all processors of a family.
constexpr std::size_t buffer = std::size_t{128} << 20;

/// The number of threads whose buffers were found possible. OpenBLAS keeps buffers, so that it needs no more for them.
std::atomic<int> possible = 0;

}  // namespace

void require_blas_memory(int threads) {
  threads = std::max(1, threads);
  if (possible >= threads) return;
  const std::size_t size = buffer * static_cast<std::size_t>(threads - possible);
  void* const trial = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (trial == MAP_FAILED) {
    throw OutOfMemory(
        fmt::format("OpenBLAS needs {} of address space for {} thread{}, which the system refuses (see "
                    "'ulimit -v')",
                    bytes(size), threads, threads == 1 ? "" : "s"));
  }
  munmap(trial, size);
  possible = threads;
}

}  // namespace gpcv
