/// The functions of the CUDA driver that the backend uses, loaded at run time.
#pragma once

#include <cstddef>
#include <string>

namespace gpcv::cuda {

// The types below are those of NVIDIA's cuda.h; a result is 0 on success.
using Result = int;
using DeviceNumber = int;
using Address = unsigned long long;
using ContextHandle = struct CUctx_st*;
using ModuleHandle = struct CUmod_st*;
using FunctionHandle = struct CUfunc_st*;
using StreamHandle = struct CUstream_st*;
using EventHandle = struct CUevent_st*;

enum : Result {
  success = 0,
  out_of_memory = 2,
  no_device = 100,
  invalid_image = 200,
  unsupported_version = 222,
  no_binary = 209,
};

/// The values of NVIDIA's CUdevice_attribute.
enum class Attribute : int {
  multiprocessors = 16,
  capability_major = 75,
  capability_minor = 76,
};

struct DriverApi {
  Result (*init)(unsigned flags);
  Result (*driver_version)(int* version);
  Result (*device_count)(int* count);
  Result (*device)(DeviceNumber* device, int ordinal);
  Result (*device_name)(char* name, int length, DeviceNumber device);
  Result (*device_memory)(std::size_t* bytes, DeviceNumber device);
  Result (*device_attribute)(int* value, int attribute, DeviceNumber device);
  Result (*retain_context)(ContextHandle* context, DeviceNumber device);
  Result (*set_context)(ContextHandle context);
  Result (*memory_info)(std::size_t* free, std::size_t* total);
  Result (*allocate)(Address* address, std::size_t bytes);
  Result (*free)(Address address);
  Result (*allocate_host)(void** address, std::size_t bytes, unsigned flags);
  Result (*free_host)(void* address);
  Result (*to_device)(Address to, const void* from, std::size_t bytes, StreamHandle stream);
  Result (*to_host)(void* to, Address from, std::size_t bytes, StreamHandle stream);
  Result (*stream_create)(StreamHandle* stream, unsigned flags);
  Result (*stream_synchronize)(StreamHandle stream);
  Result (*event_create)(EventHandle* event, unsigned flags);
  Result (*event_record)(EventHandle event, StreamHandle stream);
  Result (*event_synchronize)(EventHandle event);
  Result (*event_elapsed)(float* milliseconds, EventHandle start, EventHandle end);
  Result (*event_destroy)(EventHandle event);
  Result (*module_load)(ModuleHandle* module, const void* image);
  Result (*module_function)(FunctionHandle* function, ModuleHandle module, const char* name);
  Result (*blocks_per_multiprocessor)(int* blocks, FunctionHandle function, int threads, std::size_t shared);
  Result (*launch)(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, StreamHandle stream, void** parameters,
                   void** extra);
  Result (*error_name)(Result result, const char** name);
  Result (*error_string)(Result result, const char** text);
};

/// The driver, or the reason why there is none.
struct Driver {
  DriverApi api = {};
  int version = 0;     ///< 12040 for CUDA 12.4
  int devices = 0;     ///< the number of visible devices; the driver honours CUDA_VISIBLE_DEVICES
  std::string reason;  ///< why there is no usable device; empty if there is one
};

/// The driver; the first call loads it, initialises it and counts the devices.
const Driver& driver();

/// The name and the text of a result, such as "CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure".
std::string describe(const DriverApi& api, Result result);

}  // namespace gpcv::cuda
