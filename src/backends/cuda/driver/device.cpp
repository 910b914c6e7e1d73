#include "backends/cuda/driver/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/cuda/driver/compiler.hpp"
#include "backends/cuda/driver/program_store.hpp"
#include "backends/cuda/source/specification.hpp"
#include "backends/mpi/launch.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::cuda {
namespace {

/// The size rounded up, so that similar requests can share blocks: a block is reused only as a whole.
std::size_t rounded(std::size_t size) {
  size = std::max<std::size_t>(size, 1);
  std::size_t step = 4096;
  while (step * 16 < size) step *= 2;
  return (size + step - 1) / step * step;
}

/// The most bytes of unused blocks that are kept, on the device and on the host. Blocks of the host are kept because
/// page-locking memory takes longer than copying it.
constexpr std::size_t most_free_on_device = std::size_t{384} << 20, most_free_on_host = std::size_t{4} << 30;

std::string find_reason() {
  if (!driver().reason.empty()) return driver().reason;
  return Compiler::instance().reason();
}

DeviceDescription description_of(int ordinal) {
  const DriverApi& api = driver().api;
  DeviceDescription out;
  DeviceNumber device = 0;
  if (api.device(&device, ordinal) != success) return out;
  char name[256] = "";
  api.device_name(name, sizeof(name), device);
  out.name = name;
  api.device_memory(&out.memory, device);
  int major = 0, minor = 0;
  api.device_attribute(&major, static_cast<int>(Attribute::capability_major), device);
  api.device_attribute(&minor, static_cast<int>(Attribute::capability_minor), device);
  api.device_attribute(&out.multiprocessors, static_cast<int>(Attribute::multiprocessors), device);
  out.capability = 10 * major + minor;
  return out;
}

}  // namespace

std::vector<DeviceDescription> describe_devices() {
  std::vector<DeviceDescription> out;
  for (int i = 0; i < driver().devices; ++i) out.push_back(description_of(i));
  return out;
}

Buffer::Buffer(Device* device, std::size_t bytes, bool on_host) : size_(rounded(bytes)), on_host_(on_host) {
  address_ = device->take(size_, on_host);
  device_ = device;
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(size_, other.size_);
  std::swap(on_host_, other.on_host_);
  return *this;
}

Buffer::~Buffer() {
  if (device_ != nullptr) device_->give(address_, size_, on_host_);
}

const std::string& Device::reason() {
  static const std::string found = find_reason();
  return found;
}

Device& Device::instance() {
  if (!reason().empty()) throw InputError(fmt::format("the cuda backend cannot be used: {}", reason()));
  // The object is never destroyed, because the driver may be unloaded before static objects are.
  static Device* const device = new Device;
  return *device;
}

int chosen_device() { return driver().devices > 0 ? place_on_machine() % driver().devices : 0; }

int chosen_capability() { return description_of(chosen_device()).capability; }

Device::Device() : api_(driver().api), description_(description_of(chosen_device())) {
  DeviceNumber number = 0;
  check(api_.device(&number, chosen_device()), "find the device");
  check(api_.retain_context(&context_, number), "make a context");
  check(api_.set_context(context_), "use the context");
  constexpr unsigned non_blocking = 1;
  check(api_.stream_create(&stream_, non_blocking), "make a stream");
}

std::unique_lock<std::mutex> Device::lock() {
  std::unique_lock<std::mutex> held(mutex_);
  check(api_.set_context(context_), "use the context");
  return held;
}

void Device::check(Result result, const char* what) const {
  if (result == success) return;
  if (result == out_of_memory) {
    throw OutOfDeviceMemory(fmt::format("{} has no memory left to {}", description_.name, what));
  }
  throw DeviceError(fmt::format("{} could not {}: {}", description_.name, what, describe(api_, result)));
}

Address Device::take(std::size_t& bytes, bool on_host) {
  {
    const std::lock_guard<std::mutex> held(free_mutex_);
    FreeBlocks& free = on_host ? free_on_host_ : free_on_device_;
    auto best = free.blocks.end();
    for (auto block = free.blocks.begin(); block != free.blocks.end(); ++block) {
      const bool fits = block->bytes >= bytes && block->bytes <= 2 * bytes;
      if (fits && (best == free.blocks.end() || block->bytes < best->bytes)) best = block;
    }
    if (best != free.blocks.end()) {
      const Address address = best->address;
      bytes = best->bytes;
      free.bytes -= bytes;
      free.blocks.erase(best);
      return address;
    }
  }
  const auto attempt = [&](Address& address) {
    if (!on_host) return api_.allocate(&address, bytes);
    void* host = nullptr;
    const Result result = api_.allocate_host(&host, bytes, 0);
    address = reinterpret_cast<Address>(host);
    return result;
  };
  Address address = 0;
  Result result = attempt(address);
  if (result == out_of_memory) {
    release_free_blocks();
    result = attempt(address);
  }
  if (result == out_of_memory) {
    throw OutOfDeviceMemory(fmt::format("{} has no room for {} more",
                                        on_host ? "page-locked memory" : description_.name, gpcv::bytes(bytes)));
  }
  check(result, "allocate memory");
  return address;
}

void Device::give(Address address, std::size_t bytes, bool on_host) noexcept {
  const std::lock_guard<std::mutex> held(free_mutex_);
  FreeBlocks& free = on_host ? free_on_host_ : free_on_device_;
  const std::size_t most = on_host ? most_free_on_host : most_free_on_device;
  if (bytes > most) return free_memory(address, on_host);
  free.blocks.push_back({bytes, address});
  free.bytes += bytes;
  // The oldest blocks are freed first: the block just returned is likely to be requested next.
  while (free.bytes > most) {
    free_memory(free.blocks.front().address, on_host);
    free.bytes -= free.blocks.front().bytes;
    free.blocks.erase(free.blocks.begin());
  }
}

void Device::free_memory(Address address, bool on_host) noexcept {
  api_.set_context(context_);
  on_host ? api_.free_host(reinterpret_cast<void*>(address)) : api_.free(address);
}

void Device::release_free_blocks() noexcept {
  const std::lock_guard<std::mutex> held(free_mutex_);
  for (const bool on_host : {false, true}) {
    FreeBlocks& free = on_host ? free_on_host_ : free_on_device_;
    for (const FreeBlocks::Block& block : free.blocks) free_memory(block.address, on_host);
    free = {};
  }
}

void Device::upload(const Buffer& to, const void* from, std::size_t bytes) {
  if (bytes > 0) check(api_.to_device(to.address(), from, bytes, stream_), "copy to the device");
}

void Device::download(void* to, const Buffer& from, std::size_t bytes) {
  if (bytes > 0) check(api_.to_host(to, from.address(), bytes, stream_), "copy from the device");
}

void Device::launch(FunctionHandle function, unsigned grid_x, unsigned grid_y, void** parameters) {
  check(api_.launch(function, grid_x, grid_y, 1, threads_per_block, 1, 1, 0, stream_, parameters, nullptr),
        "launch a kernel");
}

void Device::synchronize() { check(api_.stream_synchronize(stream_), "finish its work"); }

Device::Mark::Mark(Device& device) : device_(device) {
  device_.check(device_.api_.event_create(&event_, 0), "make an event");
}
Device::Mark::~Mark() { device_.api_.event_destroy(event_); }
void Device::Mark::set() { device_.check(device_.api_.event_record(event_, device_.stream_), "record an event"); }
void Device::Mark::wait() const { device_.check(device_.api_.event_synchronize(event_), "finish its work"); }
double Device::Mark::seconds_since(const Mark& earlier) const {
  float milliseconds = 0;
  device_.check(device_.api_.event_elapsed(&milliseconds, earlier.event_, event_), "read its clock");
  return milliseconds * 1e-3;
}

const LoadedKernel& Device::kernel(const std::string& source) {
  if (const auto found = kernels_.find(source); found != kernels_.end()) return found->second;
  ProgramStore& programs = ProgramStore::instance();
  ModuleHandle module = nullptr;
  const auto load = [&](const ProgramStore::Image& image) { return api_.module_load(&module, image->data()); };
  const auto refused = [](Result result) {
    return result == unsupported_version || result == no_binary || result == invalid_image;
  };
  Result result = load(programs.image(source));
  // An image on disk may have been compiled for another driver; it is then compiled again.
  if (refused(result)) result = load(programs.compiled_anew(source));
  if (refused(result)) {
    throw InputError(fmt::format("the CUDA driver ({}.{}) is too old for kernels made by NVRTC {}: {}",
                                 driver().version / 1000, driver().version % 1000 / 10, Compiler::instance().version(),
                                 describe(api_, result)));
  }
  check(result, "load a kernel");
  LoadedKernel loaded;
  check(api_.module_function(&loaded.product, module, "gpcv_kernel"), "find a kernel");
  check(api_.module_function(&loaded.reduce, module, "gpcv_reduce"), "find a kernel");
  check(api_.blocks_per_multiprocessor(&loaded.blocks_per_multiprocessor, loaded.product, threads_per_block, 0),
        "say how many blocks fit");
  return kernels_.emplace(source, loaded).first->second;
}

}  // namespace gpcv::cuda
