#include "backends/cuda/driver/cusolver_api.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "backends/cuda/driver/device.hpp"
#include "core/shared_library.hpp"

namespace gpcv::cuda {
namespace {

// The constants of NVIDIA's cusolver_common.h, cublas_api.h and library_types.h.
enum : int { solver_allocation_failed = 2 };
enum : int { lower_triangle = 0 };
enum : int { real_double = 1 };

SharedLibrary open_solver() {
  const char* named = std::getenv("GPCV_CUSOLVER");
  return SharedLibrary::open({named != nullptr ? named : "", "libcusolver.so.12", "libcusolver.so.11",
                              "/usr/local/cuda/lib64/libcusolver.so"});
}

}  // namespace

const Lapack* Lapack::instance(Device& device) {
  // The object is never destroyed, like the device.
  static const Lapack* const lapack = new Lapack(device);
  return lapack->usable_ ? lapack : nullptr;
}

bool Lapack::found() {
  static const bool opened = static_cast<bool>(open_solver());
  return opened;
}

Lapack::Lapack(Device& device) : device_(device) {
  const SharedLibrary library = open_solver();
  if (!library || !library.bind(create_, "cusolverDnCreate") || !library.bind(set_stream_, "cusolverDnSetStream") ||
      !library.bind(create_parameters_, "cusolverDnCreateParams") ||
      !library.bind(factor_room_, "cusolverDnXpotrf_bufferSize") || !library.bind(factor_, "cusolverDnXpotrf")) {
    return;
  }
  usable_ =
      create_(&handle_) == 0 && set_stream_(handle_, device.stream()) == 0 && create_parameters_(&parameters_) == 0;
}

void Lapack::check(int status, const char* what) const {
  if (status == solver_allocation_failed) {
    throw OutOfDeviceMemory(fmt::format("cuSOLVER has no memory left to {}", what));
  }
  if (status != 0) throw DeviceError(fmt::format("cuSOLVER could not {}: status {}", what, status));
}

bool Lapack::factorise(long long n, Address a, long long stride) const {
  if (n == 0) return true;
  std::size_t room = 0, host_room = 0;
  void* matrix = reinterpret_cast<void*>(a);
  check(factor_room_(handle_, parameters_, lower_triangle, n, real_double, matrix, stride, real_double, &room,
                     &host_room),
        "plan a factorisation");
  const Buffer work = device_.allocate(room), outcome = device_.allocate(sizeof(int));
  std::vector<std::byte> host_work(host_room);
  check(factor_(handle_, parameters_, lower_triangle, n, real_double, matrix, stride, real_double,
                reinterpret_cast<void*>(work.address()), room, host_work.data(), host_room,
                reinterpret_cast<int*>(outcome.address())),
        "factorise a matrix");
  int info = 0;
  device_.download(&info, outcome, sizeof(info));
  device_.synchronize();
  return info == 0;
}

}  // namespace gpcv::cuda
