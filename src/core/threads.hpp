/// Thread counts are passed in, never guessed inside a computation.
#pragma once

#include "gpcv/machine.hpp"

namespace gpcv {

/// How many of the requested threads are worth waking for so much work, in arithmetic operations: below about a
/// million each, waiting for one another costs more than it saves.
int worthwhile_threads(int requested, double operations);

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
