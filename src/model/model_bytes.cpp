#include "gpcv/model_bytes.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// Temporary folder with the lifetime of the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gpcv-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("cannot create a temporary folder: " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path file() const { return path_ / "model.h5"; }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::string bytes_of(const Model& model) {
  const TemporaryFolder folder;
  save(model, folder.file());
  std::ifstream file(folder.file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Model model_of(const std::string& bytes) {
  const TemporaryFolder folder;
  std::ofstream file(folder.file(), std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error("cannot write a temporary file: " + folder.file().string());
  return load_model(folder.file());
}

}  // namespace gpcv
