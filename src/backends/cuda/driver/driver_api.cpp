#include "backends/cuda/driver/driver_api.hpp"

#include <fmt/format.h>

#include "core/shared_library.hpp"

namespace gpcv::cuda {
namespace {

/// The oldest usable version: CUDA 11 is the first with all functions used here.
constexpr int oldest_version = 11000;

bool bind_all(const SharedLibrary& library, DriverApi& api) {
  bool all = true;
  const auto bind = [&](auto*& function, const char* name) { all = library.bind(function, name) && all; };
  bind(api.init, "cuInit");
  bind(api.driver_version, "cuDriverGetVersion");
  bind(api.device_count, "cuDeviceGetCount");
  bind(api.device, "cuDeviceGet");
  bind(api.device_name, "cuDeviceGetName");
  bind(api.device_memory, "cuDeviceTotalMem_v2");
  bind(api.device_attribute, "cuDeviceGetAttribute");
  bind(api.retain_context, "cuDevicePrimaryCtxRetain");
  bind(api.set_context, "cuCtxSetCurrent");
  bind(api.memory_info, "cuMemGetInfo_v2");
  bind(api.allocate, "cuMemAlloc_v2");
  bind(api.free, "cuMemFree_v2");
  bind(api.allocate_host, "cuMemHostAlloc");
  bind(api.free_host, "cuMemFreeHost");
  bind(api.to_device, "cuMemcpyHtoDAsync_v2");
  bind(api.to_host, "cuMemcpyDtoHAsync_v2");
  bind(api.stream_create, "cuStreamCreate");
  bind(api.stream_synchronize, "cuStreamSynchronize");
  bind(api.event_create, "cuEventCreate");
  bind(api.event_record, "cuEventRecord");
  bind(api.event_synchronize, "cuEventSynchronize");
  bind(api.event_elapsed, "cuEventElapsedTime");
  bind(api.event_destroy, "cuEventDestroy_v2");
  bind(api.module_load, "cuModuleLoadData");
  bind(api.module_function, "cuModuleGetFunction");
  bind(api.blocks_per_multiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  bind(api.launch, "cuLaunchKernel");
  bind(api.error_name, "cuGetErrorName");
  bind(api.error_string, "cuGetErrorString");
  return all;
}

Driver open_driver() {
  Driver out;
  const SharedLibrary library = SharedLibrary::open({"libcuda.so.1"});
  if (!library) {
    out.reason = fmt::format("no CUDA driver is installed ({})", library.reason());
    return out;
  }
  const bool complete = bind_all(library, out.api);
  if (out.api.driver_version != nullptr) out.api.driver_version(&out.version);
  if (!complete || out.version < oldest_version) {
    out.reason = fmt::format("the CUDA driver is too old: it knows CUDA {}.{}, {}.0 is needed", out.version / 1000,
                             out.version % 1000 / 10, oldest_version / 1000);
    return out;
  }
  Result result = out.api.init(0);
  if (result == success) result = out.api.device_count(&out.devices);
  if (result == no_device || (result == success && out.devices == 0)) {
    out.devices = 0;
    out.reason = "the CUDA driver sees no device";
  } else if (result != success) {
    out.devices = 0;
    out.reason = fmt::format("the CUDA driver does not start: {}", describe(out.api, result));
  }
  return out;
}

}  // namespace

const Driver& driver() {
  static const Driver opened = open_driver();
  return opened;
}

std::string describe(const DriverApi& api, Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.error_name == nullptr || api.error_name(result, &name) != success || name == nullptr) {
    return fmt::format("CUDA error {}", result);
  }
  if (api.error_string(result, &text) != success || text == nullptr) return name;
  return fmt::format("{}: {}", name, text);
}

}  // namespace gpcv::cuda
