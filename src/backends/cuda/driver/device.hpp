/// The CUDA device in use: its context, memory, stream and loaded kernels.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/cuda/driver/driver_api.hpp"
#include "operators/space.hpp"

namespace gpcv::cuda {

struct DeviceDescription {
  std::string name;
  std::size_t memory = 0;  ///< bytes
  int capability = 0;      ///< such as 90 for 9.0
  int multiprocessors = 0;
};

/// Every visible device, in the driver's order.
std::vector<DeviceDescription> describe_devices();
/// The index of the device that this process uses: ranks on one machine are assigned to the devices in turn.
int chosen_device();
/// The compute capability of that device, which takes no context to know.
int chosen_capability();

class Device;

/// A block of device memory or of page-locked host memory. Its destructor returns it to the device's pool of free
/// blocks.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device* device, std::size_t bytes, bool on_host);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  Address address() const { return address_; }
  void* host() const { return reinterpret_cast<void*>(address_); }
  std::size_t size() const { return size_; }

 private:
  Device* device_ = nullptr;
  Address address_ = 0;
  std::size_t size_ = 0;
  bool on_host_ = false;
};

/// A loaded source: its product kernel and the sum over splits.
struct LoadedKernel {
  FunctionHandle product = nullptr;
  FunctionHandle reduce = nullptr;
  int blocks_per_multiprocessor = 1;
};

/// The chosen device. Only one thread at a time may use it, after calling `lock`.
class Device {
 public:
  /// The device. Throws InputError with the reason if there is no usable device, driver or compiler.
  static Device& instance();
  /// The reason for which instance() would throw; empty if it would not.
  static const std::string& reason();

  /// Locks the device against other threads and makes its context current in this thread.
  std::unique_lock<std::mutex> lock();

  const DeviceDescription& description() const { return description_; }
  StreamHandle stream() const { return stream_; }

  /// A block of device memory. Throws OutOfDeviceMemory.
  Buffer allocate(std::size_t bytes) { return {this, bytes, false}; }
  /// A block of page-locked host memory.
  Buffer allocate_host(std::size_t bytes) { return {this, bytes, true}; }

  void upload(const Buffer& to, const void* from, std::size_t bytes);
  void download(void* to, const Buffer& from, std::size_t bytes);
  void launch(FunctionHandle function, unsigned grid_x, unsigned grid_y, void** parameters);
  /// Waits for all queued work.
  void synchronize();

  /// A marker of a position in the stream.
  class Mark {
   public:
    explicit Mark(Device& device);
    ~Mark();
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    void set();
    void wait() const;
    double seconds_since(const Mark& earlier) const;

   private:
    Device& device_;
    EventHandle event_ = nullptr;
  };

  /// The kernels of this source, which the first call takes from the store of programs and loads.
  const LoadedKernel& kernel(const std::string& source);

  /// Throws DeviceError with the reason if the result is not success.
  void check(Result result, const char* what) const;

 private:
  friend class Buffer;
  Device();
  /// Takes a block of at least `bytes` bytes and sets `bytes` to its size.
  Address take(std::size_t& bytes, bool on_host);
  void give(Address address, std::size_t bytes, bool on_host) noexcept;
  void release_free_blocks() noexcept;
  /// The blocks not in use, the longest unused first.
  struct FreeBlocks {
    struct Block {
      std::size_t bytes;
      Address address;
    };
    std::vector<Block> blocks;
    std::size_t bytes = 0;
  };
  void free_memory(Address address, bool on_host) noexcept;

  const DriverApi& api_;
  DeviceDescription description_;
  ContextHandle context_ = nullptr;
  StreamHandle stream_ = nullptr;
  std::mutex mutex_;
  std::mutex free_mutex_;
  FreeBlocks free_on_device_, free_on_host_;
  std::map<std::string, LoadedKernel> kernels_;  ///< by source
};

}  // namespace gpcv::cuda
