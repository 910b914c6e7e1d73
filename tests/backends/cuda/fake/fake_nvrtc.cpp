/// Stands in for NVRTC: compiles CUDA C++ as host C++ behind emulation.hpp into a shared library.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace {

/// Entry points that the fake driver calls.
const char* const glue = R"text(
extern "C" void gpcv_kernel_host(void** parameters, unsigned x, unsigned y) {
  emulation::run_grid([](void** p) { gpcv_kernel(*static_cast<const Arguments*>(p[0])); }, parameters, x, y);
}
extern "C" void gpcv_reduce_host(void** parameters, unsigned x, unsigned y) {
  emulation::run_grid(
      [](void** p) {
        gpcv_reduce(*static_cast<double**>(p[0]), *static_cast<long long*>(p[1]), *static_cast<long long*>(p[2]),
                    *static_cast<int*>(p[3]));
      },
      parameters, x, y);
}
)text";

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Program {
  std::string source, log, image;

  int compile() {
    char folder[] = "/tmp/gpcv_fake_XXXXXX";
    if (mkdtemp(folder) == nullptr) return 1;
    const std::string base = folder;
    std::ofstream(base + "/kernel.cpp") << "#include \"" << GPCV_FAKE_FOLDER << "/emulation.hpp\"\n" << source << glue;
    const std::string command = std::string(GPCV_FAKE_CXX) + " -std=c++17 -O1 -w -shared -fPIC -o " + base +
                                "/kernel.so " + base + "/kernel.cpp 2> " + base + "/log";
    const int result = std::system(command.c_str());
    log = read(base + "/log");
    const std::string library = read(base + "/kernel.so");
    // The driver is told an address and no size.
    const std::uint64_t size = library.size();
    image.assign("GPCVFAKE");
    image.append(reinterpret_cast<const char*>(&size), sizeof(size));
    image += library;
    for (const char* name : {"/kernel.cpp", "/kernel.so", "/log"}) std::remove((base + name).c_str());
    rmdir(folder);
    return result == 0 ? 0 : 6;
  }
};

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = 3;
  return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
  architectures[0] = 75;
  architectures[1] = 80;
  architectures[2] = 90;
  return 0;
}
int nvrtcCreateProgram(Program** program, const char* source, const char*, int, const char* const*,
                       const char* const*) {
  *program = new Program{source, {}, {}};
  return 0;
}
int nvrtcDestroyProgram(Program** program) {
  delete *program;
  return 0;
}
int nvrtcCompileProgram(Program* program, int, const char* const*) { return program->compile(); }
int nvrtcGetProgramLogSize(Program* program, std::size_t* size) {
  *size = program->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(Program* program, char* log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}
int nvrtcGetCUBINSize(Program* program, std::size_t* size) {
  *size = program->image.size();
  return 0;
}
int nvrtcGetCUBIN(Program* program, char* image) {
  std::memcpy(image, program->image.data(), program->image.size());
  return 0;
}
int nvrtcGetPTXSize(Program*, std::size_t*) { return 1; }
int nvrtcGetPTX(Program*, char*) { return 1; }
const char* nvrtcGetErrorString(int) { return "an error"; }
}
