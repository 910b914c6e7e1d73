/// Every input that the fuzzers start from, and every one that once broke something, without a fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"

extern "C" int fuzz_csv(const std::uint8_t* data, std::size_t size);
extern "C" int fuzz_kernel(const std::uint8_t* data, std::size_t size);
extern "C" int fuzz_model(const std::uint8_t* data, std::size_t size);
extern "C" int fuzz_checkpoint(const std::uint8_t* data, std::size_t size);

namespace gpcv {
namespace {

namespace fs = std::filesystem;

void replay(const std::string& name, int (*target)(const std::uint8_t*, std::size_t)) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(GPCV_SOURCE_DIR) / "tests/fuzz/corpus" / name)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 10u);
  for (const fs::path& path : files) {
    const std::string bytes = fuzz::bytes_of(path);
    EXPECT_NO_THROW(target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size())) << path;
  }
  EXPECT_NO_THROW(target(nullptr, 0));
}

TEST(FuzzCorpus, OfTables) { replay("csv", fuzz_csv); }
TEST(FuzzCorpus, OfKernels) { replay("kernel", fuzz_kernel); }
TEST(FuzzCorpus, OfModels) { replay("model", fuzz_model); }
TEST(FuzzCorpus, OfCheckpoints) { replay("checkpoint", fuzz_checkpoint); }

}  // namespace
}  // namespace gpcv
