/// Thread counts are passed in, never guessed inside a computation.
#pragma once

#include <list>

#include "gpcv/machine.hpp"

namespace gpcv {

/// How many of the requested threads are worth waking for so much work, in arithmetic operations: below about a
/// million each, waiting for one another costs more than it saves.
int worthwhile_threads(int requested, double operations);

/// BlasThreads sets the number of threads of BLAS and LAPACK calls for the lifetime of the object. The number is one
/// for the whole process: where objects of several threads overlap, the youngest decides, and the number from before
/// the first returns with the end of the last, in whatever order they end.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  std::list<int>::iterator own_;  ///< among the scopes that are alive
};

}  // namespace gpcv
