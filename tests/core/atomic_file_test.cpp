#include "gpcv/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
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

/// From here on this process finds that no file system has files without a name; false where that cannot be arranged.
bool refuse_nameless_files() {
  constexpr unsigned nameless = O_TMPFILE & ~O_DIRECTORY;
  std::array<sock_filter, 7> program{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, nameless),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nameless, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog filter{program.size(), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Where an unfinished file has a name, a process that is ended on request removes it.
TEST(AtomicFile, AbandonedWritesLeaveNoTemporary) {
  TemporaryFolder folder;
  write_text_atomically(folder / "a.txt", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    if (!refuse_nameless_files()) ::_exit(2);
    write_atomically(folder / "a.txt", [&](const auto& temporary) {
      std::ofstream(temporary) << "half";
      const bool named = temporary.parent_path() == folder.path();
      abandon_writes();
      ::_exit(named ? 0 : 1);
    });
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) GTEST_SKIP() << "this system has no filters of calls";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(contents(folder / "a.txt"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

std::filesystem::perms mode_of(const std::filesystem::path& path) {
  return std::filesystem::status(path).permissions();
}

TEST(AtomicFile, AFileThatIsReplacedKeepsItsMode) {
  using std::filesystem::perms;
  TemporaryFolder folder;
  const std::filesystem::path file = folder / "a.txt";
  const mode_t before = ::umask(022);
  write_text_atomically(file, "new");
  EXPECT_EQ(mode_of(file), static_cast<perms>(0644));
  for (const unsigned mode : {0600U, 0640U, 0666U, 0400U}) {
    std::filesystem::permissions(file, static_cast<perms>(mode));
    write_text_atomically(file, "private");
    EXPECT_EQ(mode_of(file), static_cast<perms>(mode));
  }
  ::umask(before);
  EXPECT_EQ(contents(file), "private");
}

TEST(AtomicFile, AFileThatIsReplacedKeepsItsModeWhereAllFilesHaveNames) {
  TemporaryFolder folder;
  const std::filesystem::path file = folder / "a.txt";
  write_text_atomically(file, "old");
  std::filesystem::permissions(file, static_cast<std::filesystem::perms>(0600));
  const pid_t child = ::fork();
  if (child == 0) {
    if (!refuse_nameless_files()) ::_exit(2);
    write_text_atomically(file, "new");
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) GTEST_SKIP() << "this system has no filters of calls";
  EXPECT_EQ(contents(file), "new");
  EXPECT_EQ(mode_of(file), static_cast<std::filesystem::perms>(0600));
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
