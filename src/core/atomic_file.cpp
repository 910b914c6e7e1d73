#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

/// The target of a symbolic link, or the path itself: a link is followed, not replaced.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  return error ? path : real;
}

/// A new empty file beside `path`. The destructor removes it unless it was renamed.
class Temporary {
 public:
  explicit Temporary(const fs::path& target) : name_(target.string() + ".XXXXXX") {
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (!fs::status_known(status)) fail(target, error.value());
    if (fs::is_directory(status)) fail(target, EISDIR);
    // Renaming over a device would replace the device itself.
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      throw InputError(fmt::format("cannot write '{}': it is not a regular file", target.string()));
    }
    const int descriptor = ::mkstemp(name_.data());
    if (descriptor < 0) fail(target, errno);
    // mkstemp creates the file with mode 0600; the result gets the mode of any other new file.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor, 0666 & ~mask);
    ::close(descriptor);
  }
  ~Temporary() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::string& name() const { return name_; }

  void rename_to(const fs::path& target) {
    const int descriptor = ::open(name_.c_str(), O_RDONLY);
    const bool flushed = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (!flushed) fail(target, error);
    if (::rename(name_.c_str(), target.c_str()) != 0) fail(target, errno);
    name_.clear();
  }

 private:
  std::string name_;
};

}  // namespace

void write_atomically(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  const fs::path target = resolved(path);
  Temporary temporary(target);
  write(temporary.name());
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
