/// A device for a whole test program: the fakes are found under the names of the libraries they stand for, and nothing
/// is left in the user's cache.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gpcv/operator.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {

class FakeDevice : public testing::Environment {
 public:
  void SetUp() override {
    unsetenv("GPCV_NVRTC");
    unsetenv("GPCV_CUBLAS");
    unsetenv("GPCV_CUSOLVER");
    setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
    for (const char* name : {"/libcuda.so.1", "/libnvrtc.so.13", "/libcublas.so.13", "/libcusolver.so.12"}) {
      ASSERT_NE(dlopen((std::string(GPCV_FAKE_LIBRARIES) + name).c_str(), RTLD_NOW), nullptr) << dlerror();
    }
    ASSERT_EQ(resolve_backend("cuda"), "cuda");
    ASSERT_NE(accelerators().front().find("Fake device"), std::string::npos);
  }

 private:
  TemporaryFolder cache_;
};
inline const testing::Environment* const fake_device = testing::AddGlobalTestEnvironment(new FakeDevice);

}  // namespace gpcv
