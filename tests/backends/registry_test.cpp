#include <gtest/gtest.h>

#include <algorithm>

#include "gpcv/error.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/operator.hpp"

namespace gpcv {
namespace {

TEST(BackendRegistry, AutoIsACompiledBackend) {
  const auto compiled = compiled_backends();
  EXPECT_NE(std::find(compiled.begin(), compiled.end(), resolve_backend("auto")), compiled.end());
  EXPECT_NE(std::find(compiled.begin(), compiled.end(), "reference"), compiled.end());
}

TEST(BackendRegistry, AnUnknownBackendIsRefusedWithTheList) {
  try {
    resolve_backend("abacus");
    FAIL();
  } catch (const NotCompiled& error) {
    EXPECT_NE(std::string(error.what()).find("reference"), std::string::npos);
  }
}

TEST(BackendRegistry, TheReferenceBackendIsDoubleOnly) {
  const KernelProgram program = Kernel::parse("se").bind(1).lower();
  EXPECT_THROW(make_operator(program, Matrix::Ones(3, 1), {.backend = "reference", .precision = Precision::single}),
               NotCompiled);
}

}  // namespace
}  // namespace gpcv
