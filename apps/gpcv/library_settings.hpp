/// Settings that libraries read from the environment when they are loaded.
#pragma once

namespace gpcv::command {

/// Restarts the program with the settings below, unless the user has set them; returns if nothing was to be set.
/// - OMP_WAIT_POLICY=passive: threads that wait for others sleep. By default they use their core for milliseconds, and
///   with other programs beside it a fit of 1440 rows took 13.8 s instead of 6.1 s.
/// - the processor, where OpenBLAS did not recognise it: it then assumes one without AVX, which halves the speed at
///   least.
void set_library_settings(char** argv);

}  // namespace gpcv::command
