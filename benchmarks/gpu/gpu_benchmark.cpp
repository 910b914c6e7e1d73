/// Products on a CUDA device by the device's clock, compared with the device's peak rates. Each result is one JSON
/// line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "backends/cuda/cuda_operator.hpp"
#include "backends/cuda/driver/device.hpp"
#include "core/clock.hpp"
#include "core/threads.hpp"
#include "gpcv/error.hpp"
#include "kernel_programs.hpp"
#include "median.hpp"

namespace gpcv {
namespace {

struct Measurement {
  std::string kernel, task;
  KernelProgram program;
  Index columns = 1;
  Precision precision = Precision::mixed;
};

struct Times {
  double kernel = 0;  ///< seconds by the device's clock
  double wall = 0;    ///< seconds including copies, as seen by a caller
};

template <class Run>
Times measured(const CudaOperator& k, int repeats, const Run& run) {
  std::vector<double> kernel, wall;
  run();  // compiles, allocates, warms up
  for (int i = 0; i < repeats; ++i) {
    const double before = k.kernel_seconds();
    const Stopwatch watch;
    run();
    wall.push_back(watch.seconds());
    kernel.push_back(k.kernel_seconds() - before);
  }
  return {median(kernel), median(wall)};
}

/// The relative error of the product at a few rows, against the definition in double on the processor.
double error_of(const CudaOperator& k, const KernelProgram& program, const Matrix& x, const Matrix& v) {
  const Index some = std::min<Index>(x.rows(), 256);
  Matrix y(x.rows(), v.cols()), exact(some, v.cols());
  k.apply(v, y);
  make_operator(program, x.topRows(some), x,
                {.backend = "simd", .precision = Precision::double_, .threads = available_threads()})
      ->apply(v, exact);
  return (y.topRows(some) - exact).norm() / exact.norm();
}

void measure(const Measurement& m, Index n, int repeats, double ghz, const cuda::Tuning& tuning) {
  const Matrix x = benchmark_points(n, m.program.inputs);
  const Matrix v = benchmark_points(n, m.columns).array() - 0.5, u = benchmark_points(n, m.columns).array() - 0.5;
  const Stopwatch preparing;
  const CudaOperator k(m.program, x, x, true, m.precision, available_threads(), tuning);
  const double preparation = preparing.seconds();
  Matrix y(n, m.task == "derivatives" ? m.columns * k.parameters() : m.columns);
  Vector g(k.parameters());
  const Times t = measured(k, repeats, [&] {
    if (m.task == "apply") k.apply(v, y);
    if (m.task == "derivatives") k.derivatives(v, y);
    if (m.task == "contract") k.contract(u, v, g);
  });
  const double pairs = static_cast<double>(n) * static_cast<double>(n) / t.kernel;
  const double multiprocessors = cuda::Device::instance().description().multiprocessors;
  // A multiprocessor computes 16 special functions and 128 float (64 double) multiply-adds per clock.
  const double special = pairs / (16 * multiprocessors * ghz * 1e9);
  const double units = m.precision == Precision::double_ ? 64 : 128;
  const double fma = pairs * static_cast<double>(m.columns) / (units * multiprocessors * ghz * 1e9);
  fmt::print(
      "{{\"kernel\": \"{}\", \"d\": {}, \"task\": \"{}\", \"columns\": {}, \"precision\": \"{}\", \"n\": {}, "
      "\"kernel_ms\": {:.4g}, \"wall_ms\": {:.4g}, \"prepare_ms\": {:.4g}, \"pairs_per_s\": {:.4g}, "
      "\"of_special_functions\": {:.3f}, \"of_multiply_adds\": {:.3f}, \"error\": {:.2g}}}\n",
      m.kernel, m.program.inputs, m.task, m.columns, name_of(m.precision), n, 1e3 * t.kernel, 1e3 * t.wall,
      1e3 * preparation, pairs, special, fma, m.task == "apply" ? error_of(k, m.program, x, v) : 0.0);
  std::fflush(stdout);
}

std::vector<Measurement> measurements() {
  std::vector<Measurement> all;
  for (Precision precision : {Precision::mixed, Precision::double_}) {
    all.push_back({"se", "apply", se_program(1), 1, precision});
    for (Index columns : {1, 4, 5, 16, 32, 48, 55, 64})
      all.push_back({"se(ard)", "apply", se_program(8), columns, precision});
    all.push_back({"matern52(ard)", "apply", matern52_program(8), 4, precision});
    all.push_back({"se+lp", "apply", se_lp_program(), 1, precision});
    all.push_back({"se(ard)", "derivatives", se_program(8), 5, precision});
    all.push_back({"se(ard)", "contract", se_program(8), 4, precision});
  }
  return all;
}

int run(int argc, char** argv) {
  CLI::App app{"Kernel products on a CUDA device, one JSON line per measurement"};
  std::vector<Index> sizes{100000, 300000};
  int repeats = 5;
  double ghz = 1.98;
  std::string only;
  cuda::Tuning tuning;
  app.add_option("--n", sizes, "numbers of points")->delimiter(',');
  app.add_option("--repeats", repeats, "of which the median counts");
  app.add_option("--clock", ghz, "GHz that limits are computed for");
  app.add_option("--only", only, "only lines with this precision (mixed, double) or task");
  app.add_flag("!--no-tensor", tuning.tensor, "many columns by multiply-adds");
  app.add_flag("!--no-products", tuning.products, "distances by differences always");
  app.add_option("--rows", tuning.rows, "row points of a thread");
  app.add_option("--polynomial-rows", tuning.polynomial_rows, "of them, rows with 2^x by polynomial");
  CLI11_PARSE(app, argc, argv);
  for (const std::string& line : accelerators()) fmt::print(stderr, "{}\n", line);
  for (Index n : sizes) {
    for (const Measurement& m : measurements()) {
      if (!only.empty() && only != name_of(m.precision) && only != m.task) continue;
      measure(m, n, repeats, ghz, tuning);
    }
  }
  return 0;
}

}  // namespace
}  // namespace gpcv

int main(int argc, char** argv) {
  try {
    return gpcv::run(argc, argv);
  } catch (const gpcv::Error& error) {
    fmt::print(stderr, "gpu_benchmark: {}\n", error.what());
    return 2;
  }
}
