#include "gpcv/atomic_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "gpcv/error.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(AtomicFile, WritesTheWholeText) {
  TemporaryFolder folder;
  write_text_atomically(folder / "a.txt", "hello\n");
  EXPECT_EQ(contents(folder / "a.txt"), "hello\n");
}

TEST(AtomicFile, FailureKeepsTheOldFileAndLeavesNoTemporary) {
  TemporaryFolder folder;
  write_text_atomically(folder / "a.txt", "old");
  EXPECT_THROW(write_atomically(folder / "a.txt",
                                [](const auto& temporary) {
                                  std::ofstream(temporary) << "half";
                                  throw InputError("disk full");
                                }),
               InputError);
  EXPECT_EQ(contents(folder / "a.txt"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, ALinkThatLeadsNowhereIsFollowed) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "below");
  std::filesystem::create_symlink("below/target.txt", folder / "link");
  std::filesystem::create_symlink("link", folder / "link to link");
  write_text_atomically(folder / "link to link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link to link"));
  EXPECT_EQ(contents(folder / "below" / "target.txt"), "new");
}

/// What is not finished has no name, where the file system can do that: a program that is killed leaves nothing.
TEST(AtomicFile, NothingIsVisibleBeforeItIsFinished) {
  TemporaryFolder folder;
  write_atomically(folder / "a.txt", [&](const auto& temporary) {
    std::ofstream(temporary) << "half";
    const bool named = temporary.parent_path() == folder.path();
    EXPECT_TRUE(named || std::filesystem::is_empty(folder.path()));
  });
  EXPECT_EQ(contents(folder / "a.txt"), "half");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, UnwritablePlacesAreRefusedBeforeWork) {
  TemporaryFolder folder;
  EXPECT_THROW(require_writable(folder / "no" / "such" / "folder.h5"), InputError);
  EXPECT_THROW(require_writable(folder.path()), InputError);
  EXPECT_THROW(require_writable("/dev/null"), InputError);
  EXPECT_NO_THROW(require_writable(folder / "new.h5"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AtomicFile, PlacesThatCannotBeLookedAtAreRefused) {
  TemporaryFolder folder;
  write_text_atomically(folder / "a.txt", "old");
  EXPECT_THROW(require_writable(folder / std::string(256, 'n')), InputError);
  EXPECT_THROW(require_writable(folder / "a.txt" / "below.h5"), InputError);
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_THROW(write_text_atomically(folder / "loop", "new"), InputError);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "loop")) << "the link itself was replaced by a file";
}

}  // namespace
}  // namespace gpcv
