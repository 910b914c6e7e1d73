/// Cholesky factorisations on the device by cuSOLVER, which is loaded at run time.
#pragma once

#include <cstddef>

#include "backends/cuda/driver/driver_api.hpp"

namespace gpcv::cuda {

class Device;

/// LAPACK functions on column-major matrices in double. All calls are queued on the device's stream; the caller locks
/// the device.
class Lapack {
 public:
  /// The library, loaded by the first call, which needs the device locked; null if there is no cuSOLVER.
  static const Lapack* instance(Device& device);
  /// Whether the library is available.
  static bool found();

  /// Replaces the lower triangle of a by L with L Lᵀ = a and leaves the upper one; returns false where a is not
  /// positive definite. Waits for the device. Throws OutOfDeviceMemory.   a: n × n
  bool factorise(long long n, Address a, long long stride) const;

 private:
  using Handle = struct cusolverDnContext*;
  using Parameters = struct cusolverDnParams*;
  explicit Lapack(Device& device);
  void check(int status, const char* what) const;

  Device& device_;
  int (*create_)(Handle*) = nullptr;
  int (*set_stream_)(Handle, StreamHandle) = nullptr;
  int (*create_parameters_)(Parameters*) = nullptr;
  int (*factor_room_)(Handle, Parameters, int, long long, int, const void*, long long, int, std::size_t*,
                      std::size_t*) = nullptr;
  int (*factor_)(Handle, Parameters, int, long long, int, void*, long long, int, void*, std::size_t, void*, std::size_t,
                 int*) = nullptr;
  Handle handle_ = nullptr;
  Parameters parameters_ = nullptr;
  bool usable_ = false;
};

}  // namespace gpcv::cuda
