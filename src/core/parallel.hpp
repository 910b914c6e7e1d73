/// Independent pieces of work side by side.
#pragma once

#include <functional>

namespace gpcv {

/// Calls work(0) … work(count − 1), at most `threads` at once, and returns when all are done. The first exception
/// is passed on after the others have ended. With more than one worker, BLAS calls made inside run
/// on one thread each. The workers sleep between calls and are there for the next one, also in a forked process.
void parallel_for(int count, int threads, const std::function<void(int)>& work);

}  // namespace gpcv
