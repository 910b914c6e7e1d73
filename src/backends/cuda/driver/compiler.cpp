#include "backends/cuda/driver/compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "core/shared_library.hpp"
#include "gpcv/error.hpp"

namespace gpcv::cuda {

const Compiler& Compiler::instance() {
  static const Compiler opened;
  return opened;
}

Compiler::Compiler() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  // The library named by the user; if there is none, those that the system finds and the usual folders of toolkits.
  std::vector<std::string> names{variable("GPCV_NVRTC")};
  if (names.front().empty()) {
    names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
    for (const std::string& toolkit : {variable("CUDA_HOME"), variable("CUDA_PATH"), std::string("/usr/local/cuda")}) {
      if (!toolkit.empty()) names.push_back(toolkit + "/lib64/libnvrtc.so");
    }
  }
  const SharedLibrary library = SharedLibrary::open(names);
  if (!library) {
    reason_ =
        fmt::format("NVRTC, CUDA's run-time compiler, is not found ({}); install it or name the library in GPCV_NVRTC",
                    library.reason());
    return;
  }
  bool all = true;
  const auto bind = [&](auto*& function, const char* name) { all = library.bind(function, name) && all; };
  bind(version_, "nvrtcVersion");
  bind(architecture_count_, "nvrtcGetNumSupportedArchs");
  bind(architectures_, "nvrtcGetSupportedArchs");
  bind(create_, "nvrtcCreateProgram");
  bind(destroy_, "nvrtcDestroyProgram");
  bind(compile_, "nvrtcCompileProgram");
  bind(log_size_, "nvrtcGetProgramLogSize");
  bind(log_, "nvrtcGetProgramLog");
  bind(cubin_size_, "nvrtcGetCUBINSize");
  bind(cubin_, "nvrtcGetCUBIN");
  bind(ptx_size_, "nvrtcGetPTXSize");
  bind(ptx_, "nvrtcGetPTX");
  bind(error_, "nvrtcGetErrorString");
  int count = 0;
  if (!all || version_(&major_, &minor_) != 0 || architecture_count_(&count) != 0 || count <= 0) {
    reason_ = "NVRTC, CUDA's run-time compiler, is too old: 11.2 is needed";
    return;
  }
  // NVRTC opens its builtins library by name alone; opening it here by its path makes it available wherever it is
  // installed.
  Dl_info place{};
  if (dladdr(reinterpret_cast<void*>(version_), &place) != 0 && place.dli_fname != nullptr) {
    const std::filesystem::path folder = std::filesystem::path(place.dli_fname).parent_path();
    SharedLibrary::open({(folder / fmt::format("libnvrtc-builtins.so.{}.{}", major_, minor_)).string()});
  }
  known_.resize(static_cast<std::size_t>(count));
  architectures_(known_.data());
  newest_ = *std::max_element(known_.begin(), known_.end());
}

std::string Compiler::version() const { return fmt::format("{}.{}", major_, minor_); }

bool Compiler::knows(int capability) const {
  return std::find(known_.begin(), known_.end(), capability) != known_.end();
}

std::vector<std::string> Compiler::options(int capability) const {
  const std::string architecture =
      knows(capability) ? fmt::format("sm_{}", capability) : fmt::format("compute_{}", std::min(newest_, capability));
  return {"--gpu-architecture=" + architecture, "--std=c++17", "--disable-warnings"};
}

Compiler::Binary Compiler::compile(const std::string& source, int capability) const {
  if (!reason_.empty()) throw InputError(reason_);
  if (capability < *std::min_element(known_.begin(), known_.end())) {
    throw InputError(fmt::format("NVRTC {} no longer compiles for devices of compute capability {}.{}", version(),
                                 capability / 10, capability % 10));
  }
  Program program = nullptr;
  const auto check = [&](int result, const char* what) {
    if (result != 0) throw Error(fmt::format("NVRTC {}: {}: {}", version(), what, error_(result)));
  };
  check(create_(&program, source.c_str(), "gpcv.cu", 0, nullptr, nullptr), "create");
  const std::unique_ptr<Program, int (*)(Program*)> guard(&program, destroy_);
  const std::vector<std::string> flags = options(capability);
  std::vector<const char*> arguments;
  for (const std::string& flag : flags) arguments.push_back(flag.c_str());
  const int result = compile_(program, static_cast<int>(arguments.size()), arguments.data());
  Binary out;
  std::size_t size = 0;
  if (log_size_(program, &size) == 0 && size > 1) {
    out.log.resize(size);
    log_(program, out.log.data());
    out.log.resize(size - 1);
  }
  if (result != 0) throw Error(fmt::format("NVRTC {} does not compile a kernel:\n{}", version(), out.log));
  const bool binary = knows(capability);
  check((binary ? cubin_size_ : ptx_size_)(program, &size), "size");
  out.image.resize(size);
  check((binary ? cubin_ : ptx_)(program, out.image.data()), "result");
  return out;
}

}  // namespace gpcv::cuda
