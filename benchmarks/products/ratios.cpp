#include "ratios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "backends/simd/instruction_sets.hpp"
#include "backends/simd/simd_operator.hpp"
#include "kernel_programs.hpp"
#include "stored_matrix.hpp"

namespace gpcv {
namespace {

double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class Ratios {
 public:
  Ratios(Index n, int repeats) : n_(n), repeats_(repeats) {}

  /// The best times of several computations, which alternate so that other load on the machine affects all equally.
  /// With one thread the processor time is measured, which excludes time spent waiting.
  std::vector<double> best(const std::vector<std::function<void()>>& computations,
                           clockid_t clock = CLOCK_THREAD_CPUTIME_ID) const {
    std::vector<double> best(computations.size(), std::numeric_limits<double>::infinity());
    for (int k = 0; k < repeats_; ++k) {
      for (std::size_t i = 0; i < best.size(); ++i) {
        const double start = now(clock);
        computations[i]();
        best[i] = std::min(best[i], now(clock) - start);
      }
    }
    return best;
  }

  std::function<void()> apply(const KernelProgram& program, Precision precision, Index columns, int threads = 1) const {
    const Matrix x = benchmark_points(n_, program.inputs);
    auto k = std::make_shared<SimdOperator>(program, x, x, true, precision, threads);
    auto v = std::make_shared<Matrix>(Matrix::Ones(n_, columns)), y = std::make_shared<Matrix>(n_, columns);
    return [=] { k->apply(*v, *y); };
  }
  std::function<void()> derivatives(const KernelProgram& program, Precision precision, Index columns) const {
    const Matrix x = benchmark_points(n_, program.inputs);
    auto k = std::make_shared<SimdOperator>(program, x, x, true, precision, 1);
    auto v = std::make_shared<Matrix>(Matrix::Ones(n_, columns));
    auto j = std::make_shared<Matrix>(n_, columns * program.parameters);
    return [=] { k->derivatives(*v, *j); };
  }
  std::function<void()> contract(const KernelProgram& program, Precision precision, Index columns) const {
    const Matrix x = benchmark_points(n_, program.inputs);
    auto k = std::make_shared<SimdOperator>(program, x, x, true, precision, 1);
    auto v = std::make_shared<Matrix>(Matrix::Ones(n_, columns));
    auto g = std::make_shared<Vector>(program.parameters);
    return [=] { k->contract(*v, *v, *g); };
  }

  /// The rate in 10⁹ pairs per second, for n² pairs.
  double rate(double time) const { return static_cast<double>(n_) * static_cast<double>(n_) / time * 1e-9; }

  static void line(const std::string& what, double got, const char* relation, double wanted, const std::string& note) {
    fmt::print("{:<58} {:>6.2f}  {} {:<5} {}\n", what, got, relation, wanted, note);
    std::fflush(stdout);
  }

  void against_stored_matrix() const {
    auto stored = std::make_unique<StoredMatrix<float>>(static_cast<std::size_t>(n_));
    auto t = best({[&] { stored->multiply_by_eigen(0); }, apply(se_program(1), Precision::mixed, 1),
                   apply(se_program(8), Precision::mixed, 1)});
    line("se d=1, 1 column, float / stored GEMV", t[0] / t[1], "≥", 2.2, rates(t));
    line("se ard d=8, 1 column, float / stored GEMV", t[0] / t[2], "≥", 1.2, rates(t));
    t = best({[&] { stored->multiply_by_blas(48, 1); }, apply(se_program(8), Precision::mixed, 48)});
    line("se ard d=8, 48 columns, float: multiply-adds / sgemm's", (8 + 48) / 48.0 * t[0] / t[1], "≥", 0.6, rates(t));
    stored.reset();
    auto stored_double = std::make_unique<StoredMatrix<double>>(static_cast<std::size_t>(n_));
    t = best({[&] { stored_double->multiply_by_eigen(0); }, apply(se_program(1), Precision::double_, 1)});
    line("se d=1, 1 column, double / stored GEMV", t[0] / t[1], "≥", 1.3, rates(t));
  }

  void between_kernels() const {
    for (Precision precision : {Precision::mixed, Precision::double_}) {
      const std::string name = precision == Precision::mixed ? "float" : "double";
      auto t = best({apply(se_program(1), precision, 1), apply(lp_program(), precision, 1),
                     apply(se_as_expression(1), precision, 1)});
      line("lp apply / se apply, 1 column, " + name, t[1] / t[0], "≤", 2.5, rates(t));
      line("se as an expression / se fused, 1 column, " + name, t[2] / t[0], "≤", 2, rates(t));
      for (const auto& [kernel, program] : {std::pair{"lp", lp_program()}, std::pair{"se+lp", se_lp_program()}}) {
        for (Index r : {1, 8}) {
          const Index all = r * program.parameters;
          t = best({apply(program, precision, r), contract(program, precision, r), apply(program, precision, all),
                    derivatives(program, precision, r)});
          line(fmt::format("{} contract / apply, {} columns, {}", kernel, r, name), t[1] / t[0], "≤", 3, rates(t));
          line(fmt::format("{} derivatives, {} columns / apply, {}, {}", kernel, r, all, name), t[3] / t[2], "≤", 3,
               "");
        }
      }
    }
  }

  /// Sums of leaves of one type are computed in one sweep, which writes the tile once.
  void of_sums() const {
    for (Precision precision : {Precision::mixed, Precision::double_}) {
      const std::string name = precision == Precision::mixed ? "float" : "double";
      for (Index r : {1, 8}) {
        const auto t = best({apply(se_program(1), precision, r), apply(additive_program(8), precision, r),
                             apply(se_program(8), precision, r), apply(two_scales_program(8), precision, r)});
        line(fmt::format("sum of 8 se of one input / 8 · se d=1, {} columns, {}", r, name), t[1] / (8 * t[0]), "≤", 1,
             rates(t));
        line(fmt::format("se(ard) + se(ard) d=8 / 2 · se(ard), {} columns, {}", r, name), t[3] / (2 * t[2]), "≤", 1,
             "");
      }
    }
  }

  void between_thread_counts() const {
    for (Index r : {1, 48}) {
      const auto t = best({apply(se_program(8), Precision::mixed, r, 1), apply(se_program(8), Precision::mixed, r, 2)},
                          CLOCK_MONOTONIC);
      line(fmt::format("two threads / one, se ard d=8, {} columns, float", r), t[0] / t[1], "≥", 1.8, rates(t));
    }
  }

 private:
  std::string rates(const std::vector<double>& times) const {
    std::string text = "10⁹ pairs/s:";
    for (double time : times) text += fmt::format(" {:.2f}", rate(time));
    return text;
  }

  Index n_;
  int repeats_;
};

}  // namespace

void print_ratios(Index n, int repeats) {
  fmt::print("n = {}, best of {}, {}\n", n, repeats, simd::instruction_sets().in_use);
  const Ratios ratios(n, repeats);
  ratios.against_stored_matrix();
  ratios.between_kernels();
  ratios.of_sums();
  ratios.between_thread_counts();
}

}  // namespace gpcv
