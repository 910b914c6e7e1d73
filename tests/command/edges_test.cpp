/// Inputs that are no tables, places that take no files, disks that are full: exit code 2, one line that says so, and
/// what was there before stays as it was.
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "command.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

class Edges : public CommandTest {
 protected:
  void SetUp() override {
    write("data.csv", wave(40));
    succeed({"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--restarts", "1", "--quiet", "-o",
             path("model.h5")});
    model_ = read("model.h5");
    write("old.h5", "an old model\n");
    write("old.csv", "an old table\n");
    before_ = files();
  }
  void TearDown() override {
    EXPECT_EQ(read("old.h5"), "an old model\n");
    EXPECT_EQ(read("old.csv"), "an old table\n");
    EXPECT_TRUE(read("model.h5") == model_);
    EXPECT_TRUE(read("data.csv") == wave(40));
    EXPECT_EQ(files(), before_) << "something was left behind";
  }

  /// Whatever reads a table, given this one.
  void refuse_table(const std::string& table, const std::vector<std::string>& parts) const {
    refuse({"fit", table, "--target", "y", "-o", path("old.h5")}, parts);
    refuse({"fit", table, "--target", "-1", "--header", "no", "-o", path("old.h5")}, parts);
    refuse({"predict", path("model.h5"), table, "-o", path("old.csv")}, parts);
    refuse({"predict", path("model.h5"), table}, parts);
    refuse({"evaluate", path("model.h5"), table}, parts);
  }
  /// Whatever reads a model, given this one.
  void refuse_model(const std::string& model, const std::vector<std::string>& parts) const {
    refuse({"predict", model, path("data.csv"), "-o", path("old.csv")}, parts);
    refuse({"evaluate", model, path("data.csv"), "--json"}, parts);
    refuse({"fit", path("data.csv"), "--target", "y", "--warm", model, "-o", path("old.h5")}, parts);
  }
  /// Whatever writes a file, told to write it there.
  void refuse_output(const std::string& place, const std::vector<std::string>& parts) const {
    const Arguments fit{"fit", path("data.csv"), "--target", "y"},
        predict{"predict", path("model.h5"), path("data.csv")};
    const auto with = [&](Arguments arguments, const char* option) {
      arguments.insert(arguments.end(), {option, place});
      refuse(arguments, parts);
    };
    for (const char* option : {"-o", "--trace", "--checkpoint"}) with(fit, option);
    for (const char* option : {"-o", "--covariance"}) with(predict, option);
    with({"generate", "--kernel", "se(l=1)", "--n", "20"}, "-o");
  }
  /// A file that only now belongs to the folder.
  std::string make(const std::string& name, const std::string& bytes) {
    write(name, bytes);
    before_.insert(name);
    return path(name);
  }

  /// The command fails in its middle or at its end: it may have printed before.
  static void expect_failure(const Arguments& arguments, const ProcessOptions& options,
                             const std::vector<std::string>& parts) {
    SCOPED_TRACE(described(arguments));
    const Finished result = gpcv(arguments, options);
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, ::testing::StartsWith("gpcv: "));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    for (const std::string& part : parts) EXPECT_THAT(result.err, ::testing::HasSubstr(part));
  }

  std::string model_;
  std::set<std::string> before_;
};

/// Bytes from `first` to 255.
std::string random_bytes(std::size_t size, unsigned first) {
  std::mt19937_64 random(17);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(first + random() % (256 - first));
  return bytes;
}

TEST_F(Edges, AFolderIsNoInput) {
  refuse_table(path(""), {path(""), "folder"});
  refuse_model(path(""), {path(""), "directory"});
}

TEST_F(Edges, ADeviceIsNoInput) {
  refuse_table("/dev/null", {"/dev/null", "empty"});
  refuse_table("/dev/zero", {"/dev/zero", "binary"});
  refuse_model("/dev/null", {"/dev/null", "not a regular file"});
}

TEST_F(Edges, RandomBytesAreNoInput) {
  constexpr std::size_t size = 50'000'000;
  const std::string binary = make("binary", random_bytes(size, 0));
  refuse_table(binary, {binary, "binary"});
  refuse_model(binary, {binary, "not a gpcv model"});
  const std::string text = make("text", random_bytes(size, 1));
  refuse_table(text, {text + ":"});
  // Neither line ends nor delimiters, and a quote that never closes.
  const std::string endless = make("endless", std::string(size, 'a'));
  refuse_table(endless, {endless + ":1:", "longer than"});
  const std::string open = make("open", "x,y\n\"" + std::string(size, '\n'));
  refuse_table(open, {open + ":2:1", "longer than"});
}

TEST_F(Edges, AWideTableNeedsNoMoreMemoryThanItsCells) {
  std::string row = "1";
  for (int i = 0; i < 1'000'000; ++i) row += ",1";
  const std::string wide = make("wide", row + "\n" + row + "\n" + row + ",x\n");
  refuse({"fit", wide, "--target", "0", "-o", path("old.h5")}, {wide + ":3:", "expected 1000001 cells"});
}

TEST_F(Edges, AFileHoldsNoFiles) {
  const std::string place = path("data.csv") + "/result";
  refuse_output(place, {"cannot write", place, "Not a directory"});
}

TEST_F(Edges, AFolderThatTakesNoFilesIsNamed) {
  refuse_output("/proc/gpcv_result", {"cannot write", "/proc/gpcv_result"});
  refuse_output("/dev/full", {"cannot write", "/dev/full", "not a regular file"});
}

TEST_F(Edges, ANameThatNoFileCanHaveIsNamed) {
  refuse_output(path(std::string(256, 'n')), {"cannot write", "File name too long"});
  fs::create_symlink("loop", path("loop"));
  before_.insert("loop");
  refuse_output(path("loop"), {"cannot write", path("loop"), "symbolic links"});
}

TEST_F(Edges, AReadOnlyFolderIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "no folder is read-only to root";
  fs::create_directory(path("locked"));
  before_.insert("locked");
  fs::permissions(path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  refuse_output(path("locked/result"), {"cannot write", path("locked/result"), "Permission denied"});
  fs::permissions(path("locked"), fs::perms::none);
  refuse_output(path("locked/result"), {"cannot write", path("locked/result"), "Permission denied"});
  fs::permissions(path("locked"), fs::perms::owner_all);
}

TEST_F(Edges, AFileThatMayNotGrowIsNamed) {
  ProcessOptions limited;
  limited.largest_file = 4096;
  const Arguments fit{"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--restarts", "1", "--quiet"};
  const auto with = [](Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  expect_failure(with(fit, {"-o", path("old.h5")}), limited, {"cannot write", path("old.h5"), "File too large"});
  expect_failure(with(fit, {"--checkpoint", path("new.ck")}), limited,
                 {"cannot write", path("new.ck"), "File too large"});
  expect_failure({"predict", path("model.h5"), path("data.csv"), "--samples", "20", "-o", path("old.csv")}, limited,
                 {"cannot write", path("old.csv"), "File too large"});
  expect_failure({"predict", path("model.h5"), path("data.csv"), "--covariance", path("old.csv")}, limited,
                 {"cannot write", path("old.csv"), "File too large"});
}

TEST_F(Edges, AFullStandardOutputIsNamed) {
  const ProcessOptions full{.out_file = "/dev/full"};
  expect_failure({"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--restarts", "1"}, full,
                 {"standard output"});
  expect_failure({"predict", path("model.h5"), path("data.csv")}, full, {"standard output"});
  expect_failure({"evaluate", path("model.h5"), path("data.csv")}, full, {"standard output"});
}

/// All that is printed counts, long or short: a buffer may hold the whole of it until the end.
TEST_F(Edges, StandardOutputThatTakesNothingIsNamedInOneLine) {
  for (const ProcessOptions& options : {ProcessOptions{.out_file = "/dev/full"}, ProcessOptions{.closed_out = true}}) {
    for (const Arguments& arguments :
         {Arguments{"--help"},
          {"fit", "--help"},
          {"--version"},
          {"help", "fit"},
          {"help", "fit", "--man"},
          {"completion", "bash"},
          {"info"},
          {"check", path("data.csv"), "--target", "y"},
          {"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--restarts", "1", "--json"}}) {
      const Finished result = gpcv(arguments, options);
      EXPECT_EQ(result.exit_code, 2) << described(arguments);
      EXPECT_EQ(result.err, "gpcv: cannot write to standard output\n") << described(arguments);
    }
  }
}

TEST_F(Edges, AFullDiskIsNamed) {
  const std::string disk = path("disk");
  fs::create_directory(disk);
  before_.insert("disk");
  if (::mount("gpcv", disk.c_str(), "tmpfs", 0, "size=8k") != 0) {
    GTEST_SKIP() << "no right to mount a small disk: " << std::strerror(errno);
  }
  const struct Mounted {
    std::string place;
    ~Mounted() { ::umount2(place.c_str(), MNT_DETACH); }
  } mounted{disk};
  write("disk/old.h5", "an old model\n");
  write("disk/old.csv", "an old table\n");
  expect_failure({"fit", path("data.csv"), "--target", "y", "--kernel", "se", "--restarts", "1", "--quiet", "-o",
                  path("disk/old.h5")},
                 {}, {"cannot write", path("disk/old.h5"), "No space left"});
  expect_failure({"predict", path("model.h5"), path("data.csv"), "--samples", "20", "-o", path("disk/old.csv")}, {},
                 {"cannot write", path("disk/old.csv"), "No space left"});
  EXPECT_EQ(read("disk/old.h5"), "an old model\n");
  EXPECT_EQ(read("disk/old.csv"), "an old table\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(disk), {}), 2);
}

}  // namespace
}  // namespace gpcv
