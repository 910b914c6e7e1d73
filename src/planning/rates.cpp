#include "planning/rates.hpp"

#include <algorithm>

#include "backends/choice.hpp"
#include "backends/cuda/driver/device.hpp"
#include "gpcv/communicator.hpp"

namespace gpcv {
namespace {

/// One core, rounded, from benchmarks/products and benchmarks/solve on a 2.6 GHz AVX-512 machine.
Rates of_processor(int threads) {
  const double cores = std::max(1, threads);
  Rates rates;
  rates.pairs = 3e9 * cores;
  rates.double_columns = 1.5e10 * cores;
  rates.single_columns = 3e10 * cores;
  rates.preconditioner_flops = 4e10 * cores;
  rates.preconditioner_reads = 1e300;  // the flops' rate holds with memory as it is
  return rates;
}

/// Whether its double arithmetic is at half the rate of single, not a 32nd or less.
bool computes_in_double(int capability) {
  return capability == 60 || capability == 70 || capability == 80 || capability == 90 || capability == 100;
}

/// Rounded, from benchmarks/gpu on an H200 with its 132 multiprocessors, and in proportion.
Rates of_device(const cuda::DeviceDescription& device) {
  const double size = std::max(1, device.multiprocessors) / 132.0;
  const double slower = computes_in_double(device.capability) ? 1 : 1.0 / 16;
  Rates rates;
  rates.pairs = 1.5e12 * size;
  rates.double_columns = 3e12 * size * slower;
  rates.single_columns = 1e13 * size;
  rates.preconditioner_flops = 2e13 * size * slower;
  rates.preconditioner_reads = 3e11 * size;
  rates.iteration_overhead = 2e-4;
  rates.symmetric = false;
  rates.factor_bytes = device.memory / 4;
  return rates;
}

}  // namespace

Rates rates_of(const ComputeOptions& options, Index rows) {
  const Rates processor = of_processor(options.threads);
  if (!on_device(options, rows, rows)) return processor;
  Rates device = of_device(cuda::describe_devices().front());
  if (shared(options.communicator.get())) {
    // Ranks share the products of their devices; vectors and preconditioner are with the hosts.
    device.preconditioner_flops = processor.preconditioner_flops;
    device.preconditioner_reads = processor.preconditioner_reads;
    device.factor_bytes = 0;
  }
  return device;
}

}  // namespace gpcv
