/// What a user sees of devices, and of their absence.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

/// The command on the fake driver, with settings of its environment.
class CudaCommand : public testing::Test {
 protected:
  void SetUp() override {
    set("LD_LIBRARY_PATH", GPCV_FAKE_LIBRARIES);
    set("XDG_CACHE_HOME", folder.path().string());
    std::ofstream table(folder / "table.csv");
    table << "x,y\n";
    for (int i = 0; i < 40; ++i) table << i * 0.1 << ',' << (i * i) % 7 << '\n';
  }
  void TearDown() override {
    for (const std::string& name : names_) unsetenv(name.c_str());
  }
  void set(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    names_.push_back(name);
  }
  static Finished run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), GPCV_COMMAND);
    return Process(arguments).finish(120);
  }
  Finished fit(const std::vector<std::string>& more = {}, const std::string& solver = "cg") {
    std::vector<std::string> arguments{"fit",       (folder / "table.csv").string(),
                                       "--target",  "y",
                                       "--kernel",  "se",
                                       "--backend", "cuda",
                                       "--solver",  solver,
                                       "--assess",  "inner",
                                       "-o",        model()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
  std::string model() const { return (folder / "model.h5").string(); }

  TemporaryFolder folder;

 private:
  std::vector<std::string> names_;
};

TEST_F(CudaCommand, InfoListsEveryDeviceAndWhichIsUsed) {
  set("GPCV_FAKE_DEVICES", "2");
  const Finished result = run({"info"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("auto: cuda"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("Fake device, 1.0 GiB, compute capability 9.0\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("compute capability 9.0 (not used)"), std::string::npos) << result.out;
}

TEST_F(CudaCommand, NoDeviceIsBadInputInOneLine) {
  set("GPCV_FAKE_DEVICES", "0");
  const Finished result = fit();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "gpcv: the cuda backend cannot be used: the CUDA driver sees no device\n");
  const Finished info = run({"info"});
  EXPECT_NE(info.out.find("none to use: the CUDA driver sees no device"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("auto: simd"), std::string::npos) << info.out;
}

TEST_F(CudaCommand, AnOldDriverIsNamed) {
  set("GPCV_FAKE_VERSION", "10020");
  const Finished result = fit();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("too old: it knows CUDA 10.2"), std::string::npos) << result.err;
}

TEST_F(CudaCommand, AMissingCompilerIsNamed) {
  set("GPCV_NVRTC", (folder / "libnvrtc.so").string());
  const Finished result = run({"info"});
  EXPECT_NE(result.out.find("auto: simd"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("NVRTC"), std::string::npos) << result.out;
}

TEST_F(CudaCommand, ADeviceLostWhileTrainingEndsWithItsReason) {
  set("GPCV_FAKE_LAUNCHES", "3");
  const Finished result = fit();
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("CUDA_ERROR_LAUNCH_FAILED"), std::string::npos) << result.err;
}

TEST_F(CudaCommand, ADeviceThatIsFullLeavesVectorsToTheHostAndSaysSo) {
  const std::string remark = "the device ran out of memory: vectors and preconditioner were kept on the host";
  const Finished roomy = fit({"--start", "values", "--rank", "26"});
  EXPECT_EQ(roomy.exit_code, 0) << roomy.err;
  EXPECT_EQ(roomy.out.find(remark), std::string::npos) << roomy.out;
  set("GPCV_FAKE_MEMORY", "180000");
  const Finished scarce = fit({"--start", "values", "--rank", "26"});
  EXPECT_EQ(scarce.exit_code, 0) << scarce.err;
  EXPECT_NE(scarce.out.find(remark), std::string::npos) << scarce.out;
}

TEST_F(CudaCommand, ADeviceThatIsFullLeavesTheMatrixToTheHostAndSaysSo) {
  const std::string remark = "the device ran out of memory: the matrix was kept on the host";
  const Finished roomy = fit({"--start", "values", "--verbose"}, "cholesky");
  EXPECT_EQ(roomy.exit_code, 0) << roomy.err;
  EXPECT_NE(roomy.out.find("factorised on the device"), std::string::npos) << roomy.out;
  EXPECT_EQ(roomy.out.find(remark), std::string::npos) << roomy.out;
  // Derivatives need less than this, triangles of 512 rows need more.
  set("GPCV_FAKE_MEMORY", "1500000");
  const Finished scarce = fit({"--start", "values", "--verbose"}, "cholesky");
  EXPECT_EQ(scarce.exit_code, 0) << scarce.err;
  EXPECT_NE(scarce.out.find(remark), std::string::npos) << scarce.out;
}

TEST_F(CudaCommand, ADeviceLostWhileTrainingLeavesACheckpointToGoOnFrom) {
  const std::string checkpoint = (folder / "checkpoint.h5").string();
  bool lost_after_a_step = false;
  for (int launches = 50; !lost_after_a_step; launches += 25) {
    set("GPCV_FAKE_LAUNCHES", std::to_string(launches));
    const int exit_code = fit({"--checkpoint", checkpoint}).exit_code;
    lost_after_a_step = exit_code == 3 && std::filesystem::exists(checkpoint);
    ASSERT_EQ(exit_code, 3) << "it came to its end before the device was lost between two steps";
  }
  EXPECT_FALSE(std::filesystem::exists(model()));
  unsetenv("GPCV_FAKE_LAUNCHES");
  const Finished resumed = fit({"--checkpoint", checkpoint, "--resume", "--json"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(std::filesystem::exists(model()));
}

}  // namespace
}  // namespace gpcv
