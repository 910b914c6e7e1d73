/// Thread counts are passed in, never guessed inside a computation.
#pragma once

#include <string>

namespace gpcv {

/// Cores this process may use.
int available_threads();

/// How many of the requested threads are worth waking for so much work, in arithmetic operations: below about a
/// million each, waiting for one another costs more than it saves.
int worthwhile_threads(int requested, double operations);

/// The kind of processor that BLAS computes for: another one may round otherwise.
std::string blas_name();

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
