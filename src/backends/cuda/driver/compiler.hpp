/// NVRTC, NVIDIA's run-time compiler of CUDA C++, loaded at run time.
#pragma once

#include <string>
#include <vector>

namespace gpcv::cuda {

class Compiler {
 public:
  /// The compiler, loaded by the first call: the library named by GPCV_NVRTC, or the newest one that the system finds.
  static const Compiler& instance();

  /// The reason why there is no compiler; empty if there is one.
  const std::string& reason() const { return reason_; }
  /// The version as text, such as "12.9".
  std::string version() const;

  struct Binary {
    std::vector<char> image;  ///< a cubin, or PTX if this compiler does not know the architecture yet
    std::string log;
  };
  /// Compiles the source for a compute capability, such as 90 for sm_90. Throws Error with the compiler's log.
  Binary compile(const std::string& source, int capability) const;
  /// The options that compile() passes.
  std::vector<std::string> options(int capability) const;

 private:
  Compiler();

  using Program = struct _nvrtcProgram*;
  int (*version_)(int*, int*) = nullptr;
  int (*architecture_count_)(int*) = nullptr;
  int (*architectures_)(int*) = nullptr;
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
  int (*compile_)(Program, int, const char* const*) = nullptr;
  int (*log_size_)(Program, std::size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*cubin_size_)(Program, std::size_t*) = nullptr;
  int (*cubin_)(Program, char*) = nullptr;
  int (*ptx_size_)(Program, std::size_t*) = nullptr;
  int (*ptx_)(Program, char*) = nullptr;
  const char* (*error_)(int) = nullptr;

  int major_ = 0, minor_ = 0;
  int newest_ = 0;  ///< the newest architecture known to the compiler
  bool knows(int capability) const;
  std::vector<int> known_;
  std::string reason_;
};

}  // namespace gpcv::cuda
