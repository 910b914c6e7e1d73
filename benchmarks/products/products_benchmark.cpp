// Kernel products compared with products of a stored matrix.
//   products_benchmark --benchmark_out=products.json --benchmark_out_format=json
//   products_benchmark --ratios [n [repeats]]
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "backends/simd/simd_operator.hpp"
#include "core/threads.hpp"
#include "kernel_programs.hpp"
#include "ratios.hpp"
#include "stored_matrix.hpp"

namespace gpcv {
namespace {

constexpr Index points = 16384;

void count_pairs(benchmark::State& state) {
  state.counters["pairs/s"] = benchmark::Counter(static_cast<double>(points) * static_cast<double>(points),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void time_apply(benchmark::State& state, const KernelProgram& program, Precision precision, Index columns,
                int threads) {
  const Matrix x = benchmark_points(points, program.inputs), v = Matrix::Ones(points, columns);
  const SimdOperator k(program, x, x, true, precision, threads);
  Matrix y(points, columns);
  for (auto _ : state) {
    k.apply(v, y);
    benchmark::DoNotOptimize(y.data());
  }
  count_pairs(state);
}

template <class T>
void time_stored(benchmark::State& state, std::size_t columns, int threads) {
  StoredMatrix<T> k(points);
  for (auto _ : state) {
    if (columns == 1 && threads == 1) {
      k.multiply_by_eigen(0);
    } else {
      k.multiply_by_blas(columns, threads);
    }
    benchmark::DoNotOptimize(k.first_result());
  }
  count_pairs(state);
}

void register_all() {
  const NamedProgram programs[] = {{"se_d1", se_program(1)},
                                   {"se_ard_d8", se_program(8)},
                                   {"lp", lp_program()},
                                   {"se+lp", se_lp_program()},
                                   {"matern52_ard_d8", matern52_program(8)}};
  std::vector<int> threads{1};
  if (available_threads() > 1) threads.push_back(available_threads());
  const auto finish = [](benchmark::internal::Benchmark* b) { b->Unit(benchmark::kMillisecond)->UseRealTime(); };
  for (int t : threads) {
    for (Index columns : {1, 8, 48}) {
      for (const NamedProgram& named : programs) {
        for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
          const std::string name =
              fmt::format("{}/{}/columns:{}/threads:{}", named.name, name_of(precision), columns, t);
          finish(benchmark::RegisterBenchmark(name.c_str(), time_apply, named.program, precision, columns, t));
        }
      }
      const auto r = static_cast<std::size_t>(columns);
      finish(benchmark::RegisterBenchmark(fmt::format("stored/single/columns:{}/threads:{}", columns, t).c_str(),
                                          time_stored<float>, r, t));
      finish(benchmark::RegisterBenchmark(fmt::format("stored/double/columns:{}/threads:{}", columns, t).c_str(),
                                          time_stored<double>, r, t));
    }
  }
}

}  // namespace
}  // namespace gpcv

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--ratios") == 0) {
    gpcv::print_ratios(argc > 2 ? std::atoi(argv[2]) : 16384, argc > 3 ? std::atoi(argv[3]) : 5);
    return 0;
  }
  gpcv::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
