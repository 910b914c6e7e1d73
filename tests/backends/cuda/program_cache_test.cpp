#include "backends/cuda/driver/program_cache.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace gpcv::cuda {
namespace {

const std::vector<char> image{'a', '\0', 'b', '\n', 'c'};

TEST(ProgramCache, KeepsWhatWasStored) {
  const TemporaryFolder folder;
  const std::string key = ProgramCache::key({"source", "options", "13.0"});
  const ProgramCache cache(folder.path() / "new" / "folder");
  EXPECT_FALSE(cache.find(key).has_value());
  cache.store(key, image);
  EXPECT_EQ(cache.find(key), image);
  EXPECT_FALSE(cache.find(ProgramCache::key({"source", "options", "13.1"})).has_value());
}

TEST(ProgramCache, KeysDependOnEveryPartAndItsEnds) {
  EXPECT_NE(ProgramCache::key({"ab", "c"}), ProgramCache::key({"a", "bc"}));
  EXPECT_EQ(ProgramCache::key({"ab", "c"}), ProgramCache::key({"ab", "c"}));
}

TEST(ProgramCache, DamagedFilesAreNotThere) {
  const TemporaryFolder folder;
  const ProgramCache cache(folder.path());
  const std::string key = ProgramCache::key({"source"});
  cache.store(key, image);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    std::ofstream(entry.path(), std::ios::app) << "x";
  }
  EXPECT_FALSE(cache.find(key).has_value());
}

TEST(ProgramCache, AFolderThatCannotBeUsedIsNoCache) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "in the way";
  for (const ProgramCache& cache : {ProgramCache(folder.path() / "file" / "below"), ProgramCache({})}) {
    cache.store("key", image);
    EXPECT_FALSE(cache.find("key").has_value());
  }
}

}  // namespace
}  // namespace gpcv::cuda
