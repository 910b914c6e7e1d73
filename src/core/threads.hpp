/// Thread counts are passed in, never guessed inside a computation.
#pragma once

namespace gpcv {

/// Cores this process may use.
int available_threads();

/// Sets the number of threads of BLAS and LAPACK calls for the lifetime of the object.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int previous_;
};

}  // namespace gpcv
