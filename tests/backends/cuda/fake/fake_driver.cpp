/// Stands in for the CUDA driver: memory is the host's, kernels are what fake_nvrtc.cpp makes. Faults on request:
///   GPCV_FAKE_DEVICES   how many devices there are (1)
///   GPCV_FAKE_VERSION   the driver's version (13000)
///   GPCV_FAKE_MEMORY    bytes of device memory (unlimited)
///   GPCV_FAKE_SIZE      multiprocessors (3)
///   GPCV_FAKE_TOTAL     bytes of memory that the device says it has (1 GiB)
///   GPCV_FAKE_LAUNCHES  how many launches succeed before the device is lost (all)
#include <dlfcn.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace {

using Launcher = void (*)(void**, unsigned, unsigned);

long long setting(const char* name, long long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

std::mutex mutex;
std::map<unsigned long long, std::size_t> allocated;
std::size_t in_use = 0;
long long launches = 0;

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) {
  *version = static_cast<int>(setting("GPCV_FAKE_VERSION", 13000));
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(setting("GPCV_FAKE_DEVICES", 1));
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int length, int) {
  std::strncpy(name, "Fake device", static_cast<std::size_t>(length));
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = static_cast<std::size_t>(setting("GPCV_FAKE_TOTAL", 1LL << 30));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : (attribute == 16 ? static_cast<int>(setting("GPCV_FAKE_SIZE", 3)) : 0);
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  static int some;
  *context = &some;
  return 0;
}
int cuCtxSetCurrent(void*) { return 0; }
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 30;
  return 0;
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  const std::lock_guard<std::mutex> held(mutex);
  if (in_use + bytes > static_cast<std::size_t>(setting("GPCV_FAKE_MEMORY", 1LL << 40))) return 2;
  void* memory = std::malloc(bytes);
  // Nothing is zero that nobody wrote.
  std::memset(memory, 0xFF, bytes);
  *address = reinterpret_cast<unsigned long long>(memory);
  allocated[*address] = bytes;
  in_use += bytes;
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  const std::lock_guard<std::mutex> held(mutex);
  in_use -= allocated.at(address);
  allocated.erase(address);
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemHostAlloc(void** address, std::size_t bytes, unsigned) {
  *address = std::malloc(bytes);
  std::memset(*address, 0xFF, bytes);
  return 0;
}
int cuMemFreeHost(void* address) {
  std::free(address);
  return 0;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void*) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void*) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
int cuStreamCreate(void** stream, unsigned) {
  *stream = nullptr;
  return 0;
}
int cuStreamSynchronize(void*) { return 0; }
int cuEventCreate(void** event, unsigned) {
  *event = nullptr;
  return 0;
}
int cuEventRecord(void*, void*) { return 0; }
int cuEventSynchronize(void*) { return 0; }
int cuEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 1;
  return 0;
}
int cuEventDestroy_v2(void*) { return 0; }
int cuModuleLoadData(void** module, const void* image) {
  const char* bytes = static_cast<const char*>(image);
  if (std::memcmp(bytes, "GPCVFAKE", 8) != 0) return 200;
  std::uint64_t size = 0;
  std::memcpy(&size, bytes + 8, sizeof(size));
  char path[] = "/tmp/gpcv_fake_XXXXXX";
  const int file = mkstemp(path);
  const bool written = write(file, bytes + 16, size) == static_cast<ssize_t>(size);
  close(file);
  *module = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  unlink(path);
  return *module == nullptr ? 200 : 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  char host_name[64] = "";
  std::strncat(host_name, name, 40);
  std::strncat(host_name, "_host", 8);
  *function = dlsym(module, host_name);
  return *function == nullptr ? 500 : 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, std::size_t) {
  *blocks = 2;
  return 0;
}
int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                   void** parameters, void**) {
  if (launches++ >= setting("GPCV_FAKE_LAUNCHES", 1LL << 40)) return 719;
  reinterpret_cast<Launcher>(function)(parameters, x, y);
  return 0;
}
int cuGetErrorName(int result, const char** name) {
  *name = result == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == 719 ? "unspecified launch failure" : "unknown error";
  return 0;
}
}
