/// The real compiler takes the generated text of every kernel, for real architectures.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "backends/cuda/dense/square_kernels.hpp"
#include "backends/cuda/driver/compiler.hpp"
#include "backends/cuda/source/source.hpp"
#include "backends/cuda/space/vector_kernels.hpp"
#include "gpcv/kernel.hpp"

namespace gpcv::cuda {
namespace {

/// scripts/nvrtc installs one under build/; a toolkit's is used otherwise.
void choose_compiler() {
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(GPCV_NVRTC_FOLDER, failed)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("libnvrtc.so.")) setenv("GPCV_NVRTC", entry.path().c_str(), 0);
  }
}

class CudaCompile : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  void SetUp() override {
    choose_compiler();
    const std::string& reason = Compiler::instance().reason();
    if (!reason.empty()) GTEST_SKIP() << "GENERATED KERNELS ARE NOT COMPILED: " << reason << "; run scripts/nvrtc";
  }

  static void expect_compiles(const std::string& text, Index d, int columns, bool by_products = false) {
    const auto [capability, single] = GetParam();
    const KernelProgram program = Kernel::parse(text).bind(d).lower();
    for (Task task : {Task::apply, Task::derivatives, Task::contract}) {
      Specification s;
      s.task = task;
      s.single = single;
      s.columns = columns;
      s.by_products = by_products;
      s.last_theta = task == Task::apply ? 0 : program.parameters;
      s = tuned(program, s);
      try {
        EXPECT_GT(Compiler::instance().compile(write_source(program, s), capability).image.size(), 1000U) << text;
      } catch (const std::exception& error) {
        ADD_FAILURE() << text << ", sm_" << capability << ": " << error.what();
      }
    }
  }
};

TEST_P(CudaCompile, EveryKernel) {
  for (const std::string& name : family_names()) {
    expect_compiles(name == "linear" ? "linear(l=[1,2])" : name, 2, 2);
  }
}

TEST_P(CudaCompile, CompositionsAndManyColumns) {
  expect_compiles("(se(ard) + lp(on=[0])*periodic(on=[1])) * (rq + const) + linear*matern32", 3, 5, true);
  expect_compiles("se(ard)", 8, 24, true);
}

TEST_P(CudaCompile, TensorCores) {
  const auto [capability, single] = GetParam();
  if (!single || capability < 80) return;
  for (const char* text : {"se(ard)", "matern12*rq + periodic"}) {
    const KernelProgram program = Kernel::parse(text).bind(8).lower();
    for (int columns : {16, 48}) {
      Specification s;
      s.columns = columns;
      s.by_products = s.tensor = true;
      EXPECT_GT(Compiler::instance().compile(write_source(program, tuned(program, s)), capability).image.size(), 1000U);
    }
  }
}

TEST_P(CudaCompile, Neighbours) {
  const auto [capability, single] = GetParam();
  if (single) return;  // double alone
  for (const char* text : {"se(ard)", "matern12*rq + periodic"}) {
    const KernelProgram program = Kernel::parse(text).bind(8).lower();
    for (const Task task : {Task::choose, Task::neighbours}) {
      Specification s;
      s.task = task;
      s.single = false;
      EXPECT_GT(Compiler::instance().compile(write_source(program, tuned(program, s)), capability).image.size(), 1000U);
    }
  }
}

TEST_P(CudaCompile, StoredMatrices) {
  const auto [capability, single] = GetParam();
  if (single) return;  // double alone
  for (const char* text : {"se(ard)", "matern12*rq + periodic", "lp*linear + const"}) {
    const KernelProgram program = Kernel::parse(text).bind(8).lower();
    Specification s;
    s.task = Task::entries;
    s.single = false;
    EXPECT_GT(Compiler::instance().compile(write_source(program, tuned(program, s)), capability).image.size(), 1000U);
  }
  EXPECT_GT(Compiler::instance().compile(square_source(), capability).image.size(), 1000U);
}

TEST_P(CudaCompile, Vectors) {
  const auto [capability, single] = GetParam();
  if (single) return;  // one text for both
  EXPECT_GT(Compiler::instance().compile(vector_source(), capability).image.size(), 1000U);
}

TEST_P(CudaCompile, TheTextDoesNotDependOnValues) {
  Specification s;
  const auto source = [&](const char* text) {
    const KernelProgram program = Kernel::parse(text).bind(2).lower();
    return write_source(program, tuned(program, s));
  };
  EXPECT_EQ(source("se(l=1, s2=2) * lp(p=3)"), source("se(l=7, s2=0.1) * lp(p=0.25)"));
  EXPECT_NE(source("se"), source("matern32"));
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaCompile, testing::Combine(testing::Values(75, 80, 90), testing::Bool()),
                         [](const auto& info) {
                           return "sm_" + std::to_string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_float" : "_double");
                         });

}  // namespace
}  // namespace gpcv::cuda
