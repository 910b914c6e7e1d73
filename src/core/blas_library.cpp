#include "core/blas_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/targets.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "core/blas_interfaces.hpp"
#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/quantity.hpp"

// What some libraries have beside CBLAS and LAPACKE; none of these functions has to exist.
extern "C" {
// NOLINTBEGIN(readability-redundant-declaration): OpenBLAS declares these, but not as weak.
[[gnu::weak]] int openblas_get_num_threads();
[[gnu::weak]] void openblas_set_num_threads(int threads);
[[gnu::weak]] char* openblas_get_config();
[[gnu::weak]] char* openblas_get_corename();
// NOLINTEND(readability-redundant-declaration)

[[gnu::weak]] int MKL_Get_Max_Threads();
[[gnu::weak]] void MKL_Set_Num_Threads(int threads);
[[gnu::weak]] void MKL_Get_Version_String(char* text, int size);

// BLIS is built with integers of 32 or of 64 bits: the lower half of the register is right for both.
[[gnu::weak]] long bli_thread_get_num_threads();
[[gnu::weak]] void bli_thread_set_num_threads(long threads);
[[gnu::weak]] const char* bli_info_get_version_str();
[[gnu::weak]] int bli_arch_query_id();
[[gnu::weak]] const char* bli_arch_string(int id);
}

namespace gpcv {
namespace {

/// The function that was linked, or else that of the libraries which this process has loaded: on Debian the library
/// behind libblas.so.3 may be another one than when the program was linked. Null if there is none.
template <class Function>
Function* find(Function* linked, const char* name) {
  return linked != nullptr ? linked : reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}
#define GPCV_FIND(function) find(&(function), #function)

/// A library with threads of its own.
struct Threaded {
  std::function<int()> threads;
  std::function<void(int)> set_threads;
  std::function<std::string()> name;  ///< with its version and the processor that it computes for
};

std::string openblas_name() {
  const auto config = GPCV_FIND(openblas_get_config);
  return config == nullptr ? "OpenBLAS" : config();
}

std::string mkl_name() {
  char text[256] = "MKL";
  if (const auto version = GPCV_FIND(MKL_Get_Version_String)) version(text, sizeof text);
  text[sizeof text - 1] = '\0';
  const std::string_view name = text;
  return std::string(name.substr(0, name.find_last_not_of(' ') + 1));
}

std::string blis_name() {
  const auto version = GPCV_FIND(bli_info_get_version_str);
  const auto id = GPCV_FIND(bli_arch_query_id);
  const auto name = GPCV_FIND(bli_arch_string);
  const bool all = version != nullptr && id != nullptr && name != nullptr;
  return all ? fmt::format("BLIS {} {}", version(), name(id())) : "BLIS";
}

std::vector<Threaded> find_threaded() {
  std::vector<Threaded> found;
  const auto add = [&](auto* threads, auto* set_threads, std::string (*name)()) {
    if (threads == nullptr || set_threads == nullptr) return;
    // BLIS answers −1 until it is told a number, and uses one thread.
    found.push_back({[=] { return std::max(1, static_cast<int>(threads())); }, set_threads, name});
  };
  add(GPCV_FIND(openblas_get_num_threads), GPCV_FIND(openblas_set_num_threads), openblas_name);
  add(GPCV_FIND(MKL_Get_Max_Threads), GPCV_FIND(MKL_Set_Num_Threads), mkl_name);
  add(GPCV_FIND(bli_thread_get_num_threads), GPCV_FIND(bli_thread_set_num_threads), blis_name);
  return found;
}

/// The libraries that are there.
const std::vector<Threaded>& threaded() {
  static const std::vector<Threaded> all = find_threaded();
  return all;
}

/// The file of a library without a name.
std::string blas_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&cblas_dgemm), &info) == 0) return "BLAS";
  std::error_code unknown;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, unknown);
  return fmt::format("BLAS of {}", unknown ? info.dli_fname : file.string());
}

bool has_openblas() { return GPCV_FIND(openblas_set_num_threads) != nullptr; }

/// The buffer of one calling thread of OpenBLAS, in builds for all processors of a family.
constexpr std::size_t buffer = std::size_t{128} << 20;

/// The number of threads whose buffers were found possible. OpenBLAS keeps buffers, so that it needs no more for them.
std::atomic<int> possible = 0;

}  // namespace

std::vector<int> blas_threads() {
  std::vector<int> threads;
  for (const Threaded& library : threaded()) threads.push_back(library.threads());
  return threads;
}

void set_blas_threads(const std::vector<int>& threads) {
  for (std::size_t i = 0; i < threaded().size(); ++i) {
    const Threaded& library = threaded()[i];
    if (library.threads() != threads[i]) library.set_threads(threads[i]);
  }
}

void set_blas_threads(int threads) { set_blas_threads(std::vector<int>(threaded().size(), threads)); }

std::string blas_name() {
  std::vector<std::string> names;
  for (const Threaded& library : threaded()) names.push_back(library.name());
  return names.empty() ? blas_file() : fmt::format("{}", fmt::join(names, " and "));
}

EnvironmentSetting blas_processor_setting() {
  const auto core = GPCV_FIND(openblas_get_corename);
  // OpenBLAS falls back to Prescott, which has SSE3, for a processor that it does not know.
  if (core == nullptr || std::string_view(core()) != "Prescott") return {};
  const std::int64_t sets = hwy::SupportedTargets();
  if ((sets & HWY_AVX3) != 0) return {"OPENBLAS_CORETYPE", "SkylakeX"};
  if ((sets & HWY_AVX2) != 0) return {"OPENBLAS_CORETYPE", "Haswell"};
  return {};
}

void require_blas_memory(int threads) {
  threads = std::max(1, threads);
  if (possible >= threads || !has_openblas()) return;
  const std::size_t size = buffer * static_cast<std::size_t>(threads - possible);
  void* const trial = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (trial == MAP_FAILED) {
    throw OutOfMemory(
        fmt::format("OpenBLAS needs {} of address space for {} thread{}, which the system refuses (see "
                    "'ulimit -v')",
                    bytes(size), threads, threads == 1 ? "" : "s"));
  }
  munmap(trial, size);
  possible = threads;
}

}  // namespace gpcv
