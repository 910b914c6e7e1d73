/// OpenBLAS on a processor that is newer than the library.
#pragma once

namespace gpcv::command {

/// Restarts the program with OPENBLAS_CORETYPE set where OpenBLAS did not recognise the processor. OpenBLAS then
/// assumes one without AVX, which halves the speed at least, and the choice can only be changed before the library is
/// loaded. The function returns in all other cases, and when the user has set the variable.
void tell_blas_the_processor(char** argv);

}  // namespace gpcv::command
