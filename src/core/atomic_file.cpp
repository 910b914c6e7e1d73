#include "gpcv/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  const fs::path folder = path.parent_path();
  std::error_code ignored;
  if (error == ENOENT && !folder.empty() && !fs::exists(folder, ignored)) {
    throw InputError(fmt::format("cannot write '{}': there is no folder '{}'", path.string(), folder.string()));
  }
  throw InputError(fmt::format("cannot write '{}': {}", path.string(), std::strerror(error)));
}

/// The end of a chain of symbolic links, whether it exists or not, or the path itself: a link is followed, not
/// replaced.
fs::path resolved(fs::path path) {
  constexpr int most_links = 40;
  std::error_code error;
  for (int i = 0; i < most_links && fs::is_symlink(path, error); ++i) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

/// The names of the temporary files that exist, where a signal handler finds them: it can neither lock nor free.
class NamesInUse {
 public:
  /// Number of the name; −1 for one that is not kept, because it is too long or there are too many.
  int add(const std::string& name) {
    for (int i = 0; i < places; ++i) {
      Place& place = all_[static_cast<std::size_t>(i)];
      State free = State::empty;
      if (name.size() >= place.name.size() || !place.state.compare_exchange_strong(free, State::changing)) continue;
      place.name[name.copy(place.name.data(), name.size())] = '\0';
      place.state = State::in_use;
      return i;
    }
    return -1;
  }
  void remove(int number) {
    if (number >= 0) all_[static_cast<std::size_t>(number)].state = State::empty;
  }
  void unlink_all() noexcept {
    for (Place& place : all_) {
      if (place.state == State::in_use) ::unlink(place.name.data());
    }
  }

 private:
  static constexpr int places = 8;
  enum class State { empty, changing, in_use };
  struct Place {
    std::atomic<State> state = State::empty;
    std::array<char, 4096> name{};
  };
  std::array<Place, places> all_;
};
NamesInUse names_in_use;

/// A new empty file in the folder of `target`. It has no name where the file system allows that, so that a program that
/// is killed leaves nothing behind; elsewhere the destructor removes it unless it was renamed. Only its owner can open
/// what will replace a file, and it gets the mode of that file at the end.
class Temporary {
 public:
  explicit Temporary(const fs::path& target) {
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (!fs::status_known(status)) fail(target, error.value());
    if (fs::is_directory(status)) fail(target, EISDIR);
    // Renaming over a device would replace the device itself.
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      throw InputError(fmt::format("cannot write '{}': it is not a regular file", target.string()));
    }
    if (fs::exists(status)) mode_ = static_cast<mode_t>(status.permissions());
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode_ ? 0600 : 0666);
    if (descriptor_ < 0) make_named(target);
  }
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
    names_in_use.remove(number_);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  /// A path that opens the file.
  std::string path() const { return name_.empty() ? fmt::format("/proc/self/fd/{}", descriptor_) : name_; }

  void rename_to(const fs::path& target) {
    if (mode_ && ::fchmod(descriptor_, *mode_) != 0) fail(target, errno);
    if (::fsync(descriptor_) != 0) fail(target, errno);
    if (name_.empty()) give_name(target);
    if (::rename(name_.c_str(), target.c_str()) != 0) fail(target, errno);
    name_.clear();
  }

 private:
  void make_named(const fs::path& target) {
    name_ = target.string() + ".XXXXXX";
    descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
      name_.clear();
      fail(target, errno);
    }
    number_ = names_in_use.add(name_);
    if (mode_) return;
    // mkostemp creates the file with mode 0600; the result gets the mode of any other new file.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor_, 0666 & ~mask);
  }
  /// A file can only be linked to a new name; renaming that replaces the target atomically.
  void give_name(const fs::path& target) {
    const std::string opened = path();
    for (int i = 0;; ++i) {
      const std::string name = fmt::format("{}.{}-{}", target.string(), ::getpid(), i);
      if (::linkat(AT_FDCWD, opened.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
        name_ = name;
        number_ = names_in_use.add(name_);
        return;
      }
      if (errno != EEXIST) fail(target, errno);
    }
  }

  int descriptor_ = -1;
  std::string name_;            ///< empty for a file without a name
  int number_ = -1;             ///< of the name
  std::optional<mode_t> mode_;  ///< of the file that is replaced
};

}  // namespace

void write_atomically(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  const fs::path target = resolved(path);
  Temporary temporary(target);
  write(temporary.path());
  temporary.rename_to(target);
}

void write_text_atomically(const fs::path& path, std::string_view text) {
  write_atomically(path, [&](const fs::path& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) fail(path, errno);
  });
}

void abandon_writes() noexcept { names_in_use.unlink_all(); }

void require_writable(const fs::path& path, std::initializer_list<fs::path> inputs) {
  for (const fs::path& input : inputs) {
    std::error_code error;
    const auto place = [&](const fs::path& p) { return fs::weakly_canonical(fs::absolute(p, error), error); };
    if (!input.empty() && (fs::equivalent(path, input, error) || place(path) == place(input))) {
      throw InputError(fmt::format("cannot write '{}': the same file is used for something else", path.string()));
    }
  }
  Temporary probe(resolved(path));
}

}  // namespace gpcv
