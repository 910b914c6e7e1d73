/// Stands in for cuSOLVER where the device's memory is the host's: factorisations by LAPACK.
#include <cstddef>

#include "core/blas_interfaces.hpp"

extern "C" {

int cusolverDnCreate(void** handle) {
  *handle = nullptr;
  return 0;
}
int cusolverDnSetStream(void*, void*) { return 0; }
int cusolverDnCreateParams(void** parameters) {
  *parameters = nullptr;
  return 0;
}

int cusolverDnXpotrf_bufferSize(void*, void*, int, long long, int, const void*, long long, int, std::size_t* device,
                                std::size_t* host) {
  *device = 1000;
  *host = 0;
  return 0;
}

/// Lower triangles of doubles only.
int cusolverDnXpotrf(void*, void*, int triangle, long long n, int type, void* a, long long stride, int computed, void*,
                     std::size_t, void*, std::size_t, int* info) {
  if (triangle != 0 || type != 1 || computed != 1) return 3;
  *info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', static_cast<lapack_int>(n), static_cast<double*>(a),
                              static_cast<lapack_int>(stride));
  return 0;
}
}
